// Generates the parts of docs/guardrails.md that follow from code and tests; `npm run docs` writes them.
import { buildOptions, type Preset } from '../../../src/settings/guardrail-options.ts';
import { SETUPS } from './attempt.ts';
import { ATTEMPTS } from './bypasses.ts';
import { KNOWN_MISSES } from './known-misses.ts';

const PRESETS: Preset[] = ['none', 'standard', 'tracks'];
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(code).join(' ');
  return code(String(value));
}

/** What each preset comes to, of the keys in which they differ. */
function presets(): string {
  const all = PRESETS.map((preset) => buildOptions({ preset }));
  const rows = (['commands', 'paths', 'governance'] as const).flatMap((rule) =>
    Object.keys(all[0]?.[rule] ?? {}).flatMap((key) => {
      const values = all.map((options) => shown((options[rule] as unknown as Record<string, unknown>)[key]));
      return new Set(values).size === 1 ? [] : [`| ${code(`${rule}.${key}`)} | ${values.join(' | ')} |`];
    }),
  );
  return [`| key | ${PRESETS.map(code).join(' | ')} |`, '| --- | --- | --- | --- |', ...rows].join('\n');
}

const guardedBy = (setup: keyof typeof SETUPS): string =>
  setup === 'sources'
    ? `${code('standard')} with ${code(SETUPS.sources.paths.protected[0] ?? '')} protected`
    : code(SETUPS[setup].preset);

const inputOf = (input: Record<string, unknown>): string =>
  typeof input.command === 'string' ? input.command : JSON.stringify(input);

/** Each way around that is open, with the reason, and how many are closed. */
function misses(): string {
  const refused = ATTEMPTS.filter(({ verdict }) => verdict === 'deny' || verdict === 'ask').length;
  const kinds = new Set(ATTEMPTS.map(({ kind }) => kind)).size;
  return [
    `The table of attempts in \`test/unit/guardrails/bypasses.ts\` holds ${ATTEMPTS.length} calls of ${kinds} kinds; ${refused} are refused or`,
    `asked about, the rest must pass. These ${KNOWN_MISSES.length} are known to get past, each with a call that does:`,
    '',
    ...KNOWN_MISSES.flatMap(({ what, tool, input, setup, why }) => [
      `- **${what}.** ${code(tool)}: ${code(inputOf(input))} (${guardedBy(setup)}).`,
      `  ${why}`,
    ]),
  ].join('\n');
}

const PARTS = { presets, 'known misses': misses };

/** A page with its made parts as they are now. @throws where one has no place on it */
export function pageWith(text: string): string {
  let page = text;
  for (const [name, make] of Object.entries(PARTS)) {
    const [from, to] = [`<!-- ${name}: made by npm run docs -->`, `<!-- end of ${name} -->`];
    const [start, end] = [page.indexOf(from), page.indexOf(to)];
    if (start < 0 || end < start) throw new Error(`the page has no place for "${name}"`);
    page = `${page.slice(0, start)}${from}\n\n${make()}\n\n${page.slice(end)}`;
  }
  return page;
}
