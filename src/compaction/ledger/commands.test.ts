import { describe, expect, test } from 'vitest';
import { findChecks, findFileChanges, findKern, onlyLooks, readNote, splitCommand } from './commands.ts';

test.each([
  ['cd /p && npm test 2>&1 | tail -5', 'npm test'],
  ['cd "/a b" && cd c; go vet ./...', 'go vet ./...'],
  ['npm  test\n', 'npm test'],
  ['git log | head -3', 'git log'],
])('kernOf(%j) is %j', (command, kern) => expect(findKern(command)).toBe(kern));

test.each<[string, string[]]>([
  ['a && b || c; d\ne', ['a', 'b', 'c', 'd', 'e']],
  ['echo "a && b" && c', ['echo "a && b"', 'c']],
  ['git commit -m "$(cat <<\'EOF\'\nnpm test && x\nEOF\n)" && c', ['git commit -m "$(cat <<EOF )"', 'c']],
  ['a \\\n  b', ['a b']],
])('partsOf(%j)', (command, parts) => expect(splitCommand(command)).toEqual(parts));

test.each<[string, string[]]>([
  ['npm test', ['npm test']],
  ['CI=1 timeout 60 npm run lint -- --fix 2>&1 | tail', ['npm run lint -- --fix']],
  ['mise run fmt && mise run lint && git commit -m "x"', ['mise run fmt', 'mise run lint']],
  ['cd /p && go test ./... -run TestX', ['go test ./... -run TestX']],
  ['npx vitest run src/a.test.ts', ['npx vitest run src/a.test.ts']],
  ['uv run pytest -q; ruff check .', ['uv run pytest -q', 'ruff check .']],
  ['cargo +nightly clippy -- -D warnings', ['cargo +nightly clippy -- -D warnings']],
  ['make', []],
  ['make check', ['make check']],
  ['./scripts/run-tests.sh', ['./scripts/run-tests.sh']],
  ['git status && ls', []],
  ['cat package.json', []],
  ['echo "npm test"', []],
])('checksOf(%j)', (command, checks) => expect(findChecks(command)).toEqual(checks));

test.each<[string, boolean]>([
  ['grep -rn foo src', true],
  ['cd /p && rg foo | head', true],
  ['ls -la; grep -r x src', true],
  ['git diff --stat', true],
  ['npm run build', false],
  ['node x.js', false],
])('onlyLooks(%j) is %s', (command, expected) => expect(onlyLooks(command)).toBe(expected));

test.each<[string, ReturnType<typeof readNote>]>([
  ['plimsoll note "port 8080 is taken"', { text: 'port 8080 is taken', kind: 'note' }],
  ['npx plimsoll note decision "tabs, not spaces" --track x', { text: 'tabs, not spaces', kind: 'decision' }],
  [
    'node /x/dist/cli.cjs checkpoint create --note "before the rewrite" --json',
    { text: 'before the rewrite', kind: 'note' },
  ],
  ['cd a && plimsoll checkpoint create --note=short', { text: 'short', kind: 'note' }],
  ['plimsoll checkpoint create', null],
  ['git note "x"', null],
  ['echo plimsoll note x', { text: 'x', kind: 'note' }],
])('readNoteCommand(%j)', (command, expected) => {
  if (command.startsWith('echo')) expect(readNote(command)).toEqual(expected);
  else expect(readNote(command)).toEqual(expected);
});

describe('changesOf()', () => {
  test.each<[string, string[]]>([
    ["sed -i 's/a/b/' src/a.ts", ['wrote src/a.ts']],
    ["sed -n '1,3p' src/a.ts", []],
    ['mv a.ts b.ts', ['deleted a.ts', 'wrote b.ts']],
    ['mv a.ts lib/', ['deleted a.ts', 'wrote lib/a.ts']],
    ['git mv a.ts b.ts', ['deleted a.ts', 'wrote b.ts']],
    ['rm -rf build old.txt', ['deleted build', 'deleted old.txt']],
    ['echo x > out.txt && cat y >> log.txt', ['wrote out.txt', 'wrote log.txt']],
    ['npm test > /dev/null 2>&1', []],
    ['cat <<EOF > made.txt\na > b\nEOF', ['wrote made.txt']],
    ['printf x | tee -a notes.md', ['wrote notes.md']],
    ['touch new.ts; cp new.ts copy.ts', ['wrote new.ts', 'wrote copy.ts']],
    ['rm *.log $X', []],
    ['echo "a > b"', []],
    ['echo > "a.txt" "b"', ['wrote a.txt']],
    ['echo "a > b', []],
  ])('of %j', (command, changes) => {
    expect(findFileChanges(command).map(({ how, path }) => `${how} ${path}`)).toEqual(changes);
  });
});
