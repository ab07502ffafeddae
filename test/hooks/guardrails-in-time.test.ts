// Tests that a guarded call is judged within 2 s or a person is asked; no call is too large to be judged.
import { describe, expect, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { type Host, newHost } from './host.ts';

const guarded = (more = ''): Host =>
  newHost({
    files: {
      '.plimsoll/config.toml': `[guardrails]\nmode = "enforce"\n${more}[guardrails.paths]\nprotected = ["dist/**"]\n`,
    },
  });

/** What is decided of a command, and how long the process worked for it. */
function judged(host: Host, command: string): { decision: string | null; reason: string; ms: number } {
  const began = performance.now();
  const { stdout, code } = host.fire('PreToolUse', {
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 't',
  });
  const ms = performance.now() - began;
  expect(code).toBe(0);
  if (stdout === '') return { decision: null, reason: '', ms };
  const { hookSpecificOutput: said } = JSON.parse(stdout) as {
    hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string };
  };
  return { decision: said.permissionDecision, reason: said.permissionDecisionReason, ms };
}

/** The client gives up after so long. */
const LIMIT = 5_000;
const words = (size: number): string => 'a b '.repeat(size / 4);

describe('a guarded command', () => {
  const LARGE: [string, string][] = [
    ['80 KB of words', `rm dist/a.js ${words(80_000)}`],
    ['80 KB of words to a loop', `for a in ${words(80_000)}; do rm dist/$a; done`],
    ['10,000 nested substitutions', `rm dist/a.js ${'$('.repeat(10_000)}`],
    ['10,000 nested groups', `${'{ '.repeat(10_000)} rm dist/a.js`],
    ['90 KB of quotes', `rm dist/a.js ${'"'.repeat(90_000)}`],
    ['90 KB of <', `rm dist/a.js ${'<'.repeat(90_000)}`],
    ['200 KB of a word', `rm dist/a.js ${'x'.repeat(200_000)}`],
    ['3 MB that end objects', `rm dist/a.js ${'}'.repeat(3_000_000)}`],
  ];
  test.each(some(LARGE, 4))('with %s is refused or asked about, before the client gives up', (_, command) => {
    const { decision, ms } = judged(guarded(), command);
    expect(decision).toMatch(/^(?:ask|deny)$/);
    expect(ms).toBeLessThan(LIMIT);
  });

  test('that is too long says so in plain words, and with strict is refused', () => {
    const command = `rm dist/a.js ${'x'.repeat(200_000)}`;
    const asked = judged(guarded(), command);
    expect(asked).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('The agent asks to do this'),
    });
    const refused = judged(guarded('strict = true\n'), command);
    expect(refused).toMatchObject({ decision: 'deny', reason: expect.stringContaining('guardrails.strict') });
  });

  test.each<[string, string]>([
    ['a long file in a here document', `cat > src/a.ts <<'E'\n${'const a = 1;\n'.repeat(2_000)}E`],
    ['a long list of files', `git add ${Array.from({ length: 500 }, (_, at) => `src/f${at}.ts`).join(' ')}`],
    ['a long message', `git commit -m "${'A sentence of words. '.repeat(500)}"`],
  ])('with %s that is innocent goes on', (_, command) => {
    expect(judged(guarded(), command).decision).toBeNull();
  });
});

describe('a file that a start reads', () => {
  /** What is said at a start, and how long the process took. */
  const started = (files: Record<string, string>): { context: string; ms: number } => {
    const host = newHost({ files });
    const began = performance.now();
    const { context, code } = host.fire('SessionStart', { source: 'startup' });
    expect(code).toBe(0);
    return { context, ms: performance.now() - began };
  };
  const RULE = 'Keep functions short.\n';
  const yaml = (value: string): string =>
    `resumption:\n  recovery_state:\n    next_step: ${value}\n    current_phase: 2\n`;

  test.each<[string, string, string]>([
    ['quality.md with 20 KB of short lines', '.plimsoll/quality.md', RULE + 'a\n'.repeat(10_000)],
    ['quality.md with 100 KB of blanks', '.plimsoll/quality.md', `${RULE}a${' '.repeat(100_000)}b\n`],
    ['quality.md with 100 KB of empty lines', '.plimsoll/quality.md', RULE + ' \n'.repeat(50_000)],
    ['quality.md that is innocent', '.plimsoll/quality.md', RULE],
    ['YAML with a value of 300 KB', 'ORCHESTRATION.yaml', yaml('a b '.repeat(75_000))],
    ['YAML with a quoted value of 300 KB', 'ORCHESTRATION.yaml', yaml(`"${' '.repeat(300_000)}b"`)],
    [
      'YAML with a value of 300 KB over lines',
      'ORCHESTRATION.yaml',
      yaml(`|\n${'      a\n'.repeat(37_500)}`),
    ],
    ['YAML that is innocent', 'ORCHESTRATION.yaml', yaml('go on')],
  ])('%s does not keep it waiting', (what, file, text) => {
    const { context, ms } = started({ [file]: text });
    if (file.endsWith('.md')) expect(context).toContain('Keep functions short.');
    expect(ms, what).toBeLessThan(LIMIT);
  });
});
