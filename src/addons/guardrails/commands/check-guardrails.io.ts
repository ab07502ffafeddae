// Check "guardrails": the files keep the project's guardrails.

import type { Check } from '../../../cli/check-port.io.ts';
import { homeOf, relativeTo } from '../../../platform/project/paths.ts';
import { diskSight } from '../../../platform/real-paths.ts';
import { guardrailOptions } from '../../../settings/read-guardrails.ts';
import { loadAll } from '../../addon.ts';
import { guardrailFindings, type Subject } from '../guardrail-findings.ts';
import { readImports } from '../imports/read-imports.ts';

export const guardrailsCheck: Check = {
  name: 'guardrails',
  rules: {
    architecture: 'A file imports what its layer may not (guardrails.architecture).',
    paths: 'A file is changed that is protected, secret or outside what may be written (guardrails.paths).',
    governance: 'A file is changed that governs the work: C3 or C4 (guardrails.governance).',
    unread: 'A file in a layer could not be read.',
    off: 'Guardrails are off.',
  },
  async look({ files, read, place, root, scope }) {
    const ownTexts = await loadAll((addon) => addon.loadOwnFiles?.());
    // A file exactly as `init` writes it; any other text of such a file counts as governing.
    const isOwn = ({ path, act, text, before }: Subject): boolean =>
      act === 'write' && ownTexts.some((ownText) => text() === ownText(path, before));
    return guardrailFindings(files, guardrailOptions(place.resolved.settings), {
      root,
      home: homeOf(place.env),
      isChange: scope !== 'all',
      isOwn,
      sight: {
        ...diskSight(root),
        read: (path) => read(relativeTo(path, root)),
        commands: null,
        imports: readImports,
      },
    });
  },
};
