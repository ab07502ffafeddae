// Tests that no command that changes something skips parsing, while harmless ones do.
import { describe, expect, test } from 'vitest';
import { ATTEMPTS } from '../../../test/unit/guardrails/bypasses.ts';
import { buildOptions } from '../../settings/guardrail-options.ts';
import { expandBraces } from '../../text/globs.ts';
import { findGuardedName, shouldParse } from './should-parse.ts';

const HARMLESS = [
  'git status',
  'git status && npm test',
  'git log --oneline -5 | cat',
  'git diff --stat HEAD',
  'npm test -- --project unit',
  'npm run build',
  'npm install --save-exact unbash',
  'ls -la src',
  'cat package.json',
  'grep -rn "shouldParse" src',
  "rg 'foo bar' --type ts",
  'wc -l src/index.ts; head -5 README.md',
  'cargo test --workspace',
  'go test ./...',
  'pytest -q tests/unit',
  'make check',
  'docker ps -a',
  'cd src',
  'pwd',
  'tail -n 20 out.log',
];

describe('the look at the bytes of a command', () => {
  test('finds the name of each place that a preset guards, and no everyday command', () => {
    const { paths, governance } = buildOptions({ preset: 'standard' });
    const guarded = [...paths.secrets, ...paths.protected, ...governance.c4, ...governance.c3];
    for (const pattern of guarded.filter((each) => !each.startsWith('!')))
      for (const file of expandBraces(pattern.replaceAll('*', 'x')))
        expect(findGuardedName([pattern], `dprint fmt ${file}`), file).toBe(true);
    expect(HARMLESS.filter((command) => findGuardedName(guarded, command))).toEqual([]);
    expect(findGuardedName(['src/**/made/*.ts', 'Makefile', 'a'], 'dprint fmt src/x/made/y.ts')).toBe(true);
    expect(findGuardedName(['src/model/**'], 'SRC/MODEL tier.ts')).toBe(true);
    expect(findGuardedName(['src/model/**', '!src/view'], ' dprint fmt src/view')).toBe(false);
  });

  test.each(HARMLESS)('passes without parsing: %s', (command) => expect(shouldParse(command)).toBe(false));

  const commands = ATTEMPTS.map(({ input }) => input.command).filter((each) => typeof each === 'string');
  test.each(commands)('sends to the parser: %s', (command) => expect(shouldParse(command)).toBe(true));
});
