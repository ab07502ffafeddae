// A guarded call is judged within 2 s, or a person is asked: no call is so large that it runs unjudged.
import { describe, expect, test } from 'vitest';
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
  test.each<[string, string]>([
    ['80 KB of words', `rm dist/a.js ${words(80_000)}`],
    ['80 KB of words to a loop', `for a in ${words(80_000)}; do rm dist/$a; done`],
    ['10,000 nested substitutions', `rm dist/a.js ${'$('.repeat(10_000)}`],
    ['10,000 nested groups', `${'{ '.repeat(10_000)} rm dist/a.js`],
    ['90 KB of quotes', `rm dist/a.js ${'"'.repeat(90_000)}`],
    ['90 KB of <', `rm dist/a.js ${'<'.repeat(90_000)}`],
    ['200 KB of a word', `rm dist/a.js ${'x'.repeat(200_000)}`],
    ['3 MB that end objects', `rm dist/a.js ${'}'.repeat(3_000_000)}`],
  ])('with %s is refused or asked about, before the client gives up', (_, command) => {
    const { decision, ms } = judged(guarded(), command);
    expect(decision).toMatch(/^(?:ask|deny)$/);
    expect(ms).toBeLessThan(LIMIT);
  });

  test('that is too long says so in plain words, and with strict is refused', () => {
    const command = `rm dist/a.js ${'x'.repeat(200_000)}`;
    const asked = judged(guarded(), command);
    expect(asked).toMatchObject({ decision: 'ask', reason: expect.stringContaining('A person decides') });
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
