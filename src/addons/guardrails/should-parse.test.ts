// Tests that no command that changes something skips parsing, while harmless ones do.
import { describe, expect, test } from 'vitest';
import { ATTEMPTS } from '../../../test/unit/guardrails/bypasses.ts';
import { shouldParse } from './should-parse.ts';

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
  test.each(HARMLESS)('passes without parsing: %s', (command) => expect(shouldParse(command)).toBe(false));

  const commands = ATTEMPTS.map(({ input }) => input.command).filter((each) => typeof each === 'string');
  test.each(commands)('sends to the parser: %s', (command) => expect(shouldParse(command)).toBe(true));
});
