// Check "guardrails": the files keep the project's guardrails.

import type { Check } from '../../../cli/check-port.io.ts';
import { homeOf, relativeTo } from '../../../platform/project/paths.ts';
import { diskSight } from '../../../platform/real-paths.ts';
import { guardrailOptions } from '../../../settings/guardrail-options.ts';
import { ENTRY_POINTS } from '../../tracks/commands/entry-points.ts';
import { withIgnored } from '../../tracks/ignored.ts';
import { guardrailFindings, type Subject } from '../guardrail-findings.ts';
import { readImports } from '../imports/read-imports.ts';

const SCRIPTS = new Map(ENTRY_POINTS);

/** Whether a file is exactly as `init --tracks` writes it; any other text of such a file counts as governing. */
const isOwn = ({ path, act, text, before }: Subject): boolean =>
  act === 'write' && text() === (path === '.gitignore' ? withIgnored(before()) : SCRIPTS.get(path));

export const guardrailsCheck: Check = {
  name: 'guardrails',
  rules: {
    architecture: 'A file imports what its layer may not (guardrails.architecture).',
    paths: 'A file is changed that is protected, secret or outside what may be written (guardrails.paths).',
    governance: 'A file is changed that governs the work: C3 or C4 (guardrails.governance).',
    unread: 'A file in a layer could not be read.',
    off: 'Guardrails are off.',
  },
  look: ({ files, read, place, root, scope }) =>
    guardrailFindings(files, guardrailOptions(place.resolved.settings), {
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
    }),
};
