// Renders `docs/settings.md`, the reference of every setting, from the settings object.
import { PRESETS } from '../context/tier.ts';
import { describeAllowed } from './allowed.ts';
import { COMMITTED } from './committed.io.ts';
import { formatValue } from './edit/toml-text.ts';
import { buildVariableName, SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';

const HEAD = `# Settings

<!-- Made by \`npm run docs\` from src/settings/settings.ts; do not edit. -->

Files, the strongest first; each key is decided for itself:

| scope | file | whose |
| --- | --- | --- |
| | environment variable | this process |
| \`local\` | \`config.local.toml\` in the state folder | yours, in this project; not committed |
| \`project\` | \`.plimsoll/config.toml\` | the team's; commit it |
| \`user\` | \`$XDG_CONFIG_HOME/plimsoll/config.toml\` (\`~/.config\`) | yours, everywhere |

\`plimsoll config set KEY VALUE [--scope S]\` changes a file and keeps its comments, order and line ends;
\`plimsoll config show --origin\` says what is in force and why; \`plimsoll config validate\` checks all files. A value that is
not usable is left out, and the next file or the default counts. A change holds from the next hook on.

A project that you cloned is somebody else's work. Its \`.plimsoll/config.toml\` may describe the project and tighten what you
have set; what would loosen, silence, run a command or lead outside of the project counts only in your own files, or once you
have allowed it: \`plimsoll trust\` shows exactly those values and asks, and asks again when one of them changes. \`plimsoll
status\`, \`doctor\` and \`config show\` say what does not count. With each setting stands what a project may set without
being asked about. \`plimsoll check\` judges a project by its own file as it stands.

For completion and checks in an editor with taplo (Even Better TOML): \`plimsoll config schema > .plimsoll/config.schema.json\`
and, as first line of the settings file, \`#:schema ./config.schema.json\`. The package holds the same schema as
\`schema/config.schema.json\`.
`;

/** Says whether a committed settings file may set a key. */
function mayBeSet(key: SettingKey): string {
  const { who, limit } = COMMITTED[key];
  if (who === 'free') return 'yes';
  const rest = 'after `plimsoll trust`';
  return limit === null ? `only ${rest}` : `${limit}; else ${rest}`;
}

function section(key: SettingKey): string {
  const { default: value, meaning, unit, unset } = SETTINGS[key];
  const written = value === null ? `not set: ${unset ?? 'nothing'}` : `\`${formatValue(value)}\``;
  const lines = [
    `### \`${key}\``,
    '',
    `${meaning}.`,
    '',
    `- Default: ${written}`,
    `- Values: ${describeAllowed(key)}${unit === null ? '' : `; unit: ${unit}`}`,
    `- Variable: \`${buildVariableName(key)}\``,
    `- A project may set it: ${mayBeSet(key)}`,
  ];
  return `${lines.join('\n')}\n`;
}

const presets = (): string =>
  [
    '## Presets of thresholds',
    '',
    'What `context_monitor.sensitivity` stands for; a threshold that is set beats its preset. Thresholds rise from LOW to',
    'EMERGENCY: a change that would turn them round is refused.',
    '',
    '| preset | LOW | WARNING | CRITICAL | EMERGENCY |',
    '| --- | --- | --- | --- | --- |',
    ...Object.entries(PRESETS).map(
      ([name, { low, warning, critical, emergency }]) =>
        `| ${name} | ${low} | ${warning} | ${critical} | ${emergency} |`,
    ),
    '',
  ].join('\n');

/** `docs/settings.md`. */
export function formatReference(): string {
  const parts: string[] = [HEAD];
  let title = '';
  for (const key of SETTING_KEYS) {
    const name = key.includes('.') ? `\`[${key.split('.')[0]}]\`` : 'Top level';
    if (name !== title) parts.push(`## ${name}\n`);
    title = name;
    parts.push(section(key));
  }
  return [...parts, presets()].join('\n');
}
