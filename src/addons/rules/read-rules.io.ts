// Reads the rules that a project wants repeated at every prompt; they are kept with the settings.

import { readInProject } from '../../platform/in-project.ts';
import { type ProjectPaths, relativeTo } from '../../platform/project/paths.ts';
import { RULES_FILE } from '../../platform/read.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SettingProblem, Stamp } from '../../settings/settings-snapshot.io.ts';
import { redact } from '../../text/redact.ts';
import type { PromptText } from '../addon.ts';
import { qualityReinforcement } from './quality-reinforcement.ts';
import { type Marker, markersIn, ranked } from './reinforcement.ts';
import { ruleFiles } from './rule-files.io.ts';

export interface ProjectRules {
  /** By rank. */
  rules: Marker[];
  problems: SettingProblem[];
  /** Files and folders that the rules were read from: while these are unchanged, so are the rules. */
  looked: Stamp[];
}

/** Reads the rule files. A file that cannot be read is left out and reported as a problem. */
export function projectRules(paths: ProjectPaths): ProjectRules {
  const { files, looked } = ruleFiles(paths);
  const problems: SettingProblem[] = [];
  const markers = files.flatMap((path) => {
    const shown = relativeTo(path, paths.root);
    try {
      const { found, faults } = markersIn(readInProject(paths.root ?? '/', path, RULES_FILE) ?? '', shown);
      problems.push(...faults.map((fault) => ({ origin: 'project' as const, ...fault })));
      return found;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      problems.push({ origin: 'project', where: shown, message });
      return [];
    }
  });
  return { rules: ranked(markers), problems, looked };
}

/** The `<quality-reinforcement>` message for every prompt. */
export function readReinforcement(paths: ProjectPaths, settings: Settings): PromptText {
  if (!settings['quality.reinforcement']) return { text: null, problems: [], stamps: [] };
  const { rules, problems, looked } = projectRules(paths);
  // Redacted before the text is cut, because half a secret is not recognised.
  const { text } = qualityReinforcement(rules.map((rule) => ({ ...rule, content: redact(rule.content) })));
  return { text, problems, stamps: looked };
}
