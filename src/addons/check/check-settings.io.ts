// Check "settings": the settings are valid. Faults in the project's file are errors, those of this machine warnings.

import type { CheckFinding } from '../../cli/check-finding.ts';
import type { Check } from '../../cli/check-port.io.ts';
import { displayPath } from '../../cli/project.io.ts';
import { relativeTo } from '../../platform/project/paths.ts';
import { settingsFaults } from '../../settings/find-faults.io.ts';

export const settingsCheck: Check = {
  name: 'settings',
  rules: {
    project: 'The settings file of the project holds what cannot be used.',
    own: 'Settings of this machine (variables, your own files) cannot be used.',
  },
  look: ({ place, root, readSettings }) =>
    settingsFaults(root, place.env, readSettings).map((fault): CheckFinding => {
      const { origin, where, line, message, next } = fault;
      const common = { check: 'settings', next };
      return origin === 'project'
        ? { ...common, rule: 'project', level: 'error', file: relativeTo(where, root), line, message }
        : {
            ...common,
            rule: 'own',
            level: 'warning',
            file: null,
            line: null,
            message: `${[displayPath(where, place), line].filter((part) => part !== null).join(':')}: ${message}`,
          };
    }),
};
