// What does the shell analysis see in a command: exactly these files, and never an exception, whatever the text?
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sight } from '../../../src/model/guardrails/call.ts';
import { needsLook } from '../../../src/model/guardrails/needs-look.ts';
import { normalised } from '../../../src/model/guardrails/path-text.ts';
import { changesOfCommand } from '../../../src/store/command-changes.ts';

/** Folders that are there; every other path is not. */
const FOLDERS = new Set(['/p', '/p/src', '/p/docs', '/p/old', '/home/u', '/']);
const asked = { resolve: 0 };
const sight: Sight = {
  resolve: (path) => {
    asked.resolve++;
    const real = normalised(path);
    return { path: real, kind: FOLDERS.has(real) ? 'folder' : 'missing', folds: false, worktree: null };
  },
  read: (path) => (path === '/p/x.patch' ? '--- a/one.ts\n+++ b/one.ts\n' : null),
  expand: (pattern) => (pattern === '/p/src/*.ts' ? ['/p/src/a.ts', '/p/src/b.ts'] : null),
  commands: changesOfCommand,
  imports: null,
};
const changes = (command: string, tool = 'Bash') =>
  changesOfCommand(command, { tool, input: { command }, cwd: '/p', root: '/p', home: '/home/u' }, sight);

/** `+path` written, `-path` removed, `/…` with all below, `?` unknown with its known end. */
const seen = (command: string): string[] =>
  changes(command).changes.map(({ path, act, whole, tail, within }) => {
    const sign = act === 'write' ? '+' : '-';
    const end = whole === 'all' ? '/**' : whole === 'some' ? '/*' : '';
    const name =
      path === null
        ? `${within ? normalised(within) : ''}?${tail ?? ''}`
        : normalised(path).replace(/^\/p\//, '');
    return sign + name + end;
  });

describe('a command changes', () => {
  // [command, what it changes]
  const cases: [string, string[]][] = [
    ['ls -la | grep x', []],
    ['cat a > b', ['+b']],
    ['cat a >> b 2>> c', ['+b', '+c']],
    ['cat a 2>&1 >&- 1>&2', []],
    ['cat < a', []],
    ['echo "a > b" \'c > d\' e\\>f', []],
    ['cat <<E > a\nx > b\nE', ['+a']],
    ['cat <<E\n$(rm a)\nE', ['-a']],
    ["cat <<'E'\n$(rm a)\nE", []],
    ['rm a b -f "c d"', ['-a', '-b', '-c d']],
    ['rm -rf a', ['-a/**']],
    ['rm -- -f', ['--f']],
    ['cp a b', ['+b']],
    ['cp a b src', ['+src/a', '+src/b']],
    ['cp a new', ['+new']],
    ['cp -r docs src', ['+src/docs/*']],
    ['cp -r docs/. src', ['+src/*']],
    ['cp -T a src', ['+src']],
    ['mv a b', ['+b', '-a']],
    ['mv docs new', ['+new/*', '-docs/**']],
    ['ln -s a b', ['+b']],
    ['ln -s a b && echo x > b/c', ['+b', '+a/c']],
    ['install -d x y', ['+x', '+y']],
    ['install -m 644 a src', ['+src/a']],
    ['touch -r ref a', ['+a']],
    ['mkdir -p a/b && cp x a/b', ['+a/b', '+a/b/x']],
    ['sed s/a/b/ x', []],
    ['sed -n -e 1p x', []],
    ['sed -i s/a/b/ x y', ['+x', '+y']],
    ['sed -ibak -e s/a/b/ x', ['+x']],
    ["sed -i '' s/a/b/ x", ['+x']],
    ["sed -n '/a/w out' x", ['+out']],
    ["sed 's/a w b/c/' x", []],
    ['perl -ne print x', ['+?']],
    ['perl -i.bak -pe s/a/b/ x', ['+x']],
    ["awk '$1 > 5' x", []],
    ['awk \'{ print $1 > "out" }\' x', ['+out']],
    ["awk '{ print > $1 }' x", ['+?']],
    ['tar cf a.tar src', ['+a.tar']],
    ['tar tf a.tar', []],
    ['tar xf a.tar', ['+/p/*']],
    ['tar -C docs -xzf a.tgz', ['+docs/*']],
    ['curl -s x | jq .', []],
    ['curl -so out x', ['+out']],
    ['curl -O https://x.org/a/b.zip?c=d', ['+b.zip']],
    ['wget https://x.org/a.zip', ['+a.zip']],
    ['dd if=a of=b bs=1', ['+b']],
    ['sort -u -o a b', ['+a']],
    ['tee -a a b < c', ['+a', '+b']],
    ['find . -name x', []],
    ['find src -name x -delete', ['-/p/src?/x']],
    ['find src -delete', ['-src/**']],
    ['find . -exec cat {} \\;', []],
    ['echo a b | xargs rm', ['-a', '-b']],
    ['echo a | xargs -I% mv % %.bak', ['+a.bak', '-a']],
    ['ls | xargs -n1 rm -f', ['-?']],
    ['rm src/*.ts', ['-src/a.ts', '-src/b.ts']],
    ['rm "src/*.ts"', ['-src/*.ts']],
    ['rm {a,b}.ts', ['-a.ts', '-b.ts']],
    ['rm {1..3}', ['-1', '-2', '-3']],
    ['A=x; rm $A.$A', ['-x.x']],
    ['A="x y"; rm $A "$A"', ['-x', '-y', '-x y']],
    ['A=(x "y z"); rm "${A[@]}"', ['-x', '-y z']],
    ['rm "$(echo a)"', ['-a']],
    ['rm $(basename src/a.ts .ts)', ['-a']],
    ['rm "$(cat x)/y"', ['-?/y']],
    ['rm src/$(cat x)', ['-/p/src?']],
    ['for a in x y; do rm $a; done', ['-x', '-y']],
    ['for a in src/*.ts; do rm "$a"; done', ['-src/a.ts', '-src/b.ts']],
    ['if a; then b=x; else b=y; fi; rm $b', ['-x', '-y']],
    ['cd src && rm a; cd .. && rm b', ['-src/a', '-b']],
    ['(cd src; rm a); rm b', ['-src/a', '-b']],
    ['cd nowhere; rm a', ['-nowhere/a', '-a']],
    ['cd $X; rm a', ['-?/a']],
    ['case x in a) b=x ;; *) b=y ;; esac; rm $b', ['-x', '-y']],
    ['if a; then b=x; fi; rm $b', ['-?', '-x']],
    ['if a; then b=x; elif c; then b=z; else b=y; fi; rm $b', ['-x', '-z', '-y']],
    ['b=x; while a; do rm $b; b=y; done', ['-x', '-y']],
    ['rm ~/a', ['-/home/u/a']],
    ['rm "~/a"', ['-~/a']],
    ['rm ~other/a', ['-?/a']],
    ['git status', []],
    ['git checkout -b x', []],
    ['git checkout x', ['+?']],
    ['git checkout -- a src', ['+a', '+src/*']],
    ['git checkout x a.ts', ['+a.ts', '+?']],
    ['git -C src restore a', ['+src/a']],
    ['git restore --staged a', []],
    ['git rm a', ['-a']],
    ['git rm --cached a', []],
    ['git mv a b', ['-a', '+b']],
    ['git apply x.patch', ['+one.ts']],
    ['patch -p1 < x.patch', ['+one.ts']],
    ['git commit -m "rm a > b"', []],
    ['git log > a', ['+a']],
    ['bash -c "rm a; echo $0" b', ['-a']],
    ['eval rm a', ['-a']],
    ['f() { rm $1; }; f a', ['-a']],
    ['f() { rm a; }', []],
    ['f() { f; }; f', []],
    ['python3 x.py', []],
    ['python3 -c "1"', ['+?']],
    ['node -e 1', ['+?']],
    ['node x.js -e 1', ['+?']],
    ['echo x | python3', ['+?']],
    ['pip install x', []],
    ['sudo -u x rm a', ['-a']],
    ['env -u X A=b rm a', ['-a']],
    ['timeout -k 1 5 rm a', ['-a']],
    ['command -v rm', []],
    ['type rm; which rm; man rm', []],
    ['$EDITOR a', ['+?']],
    ['plimsoll off', ['+.plimsoll/off']],
    ['plimsoll config set guardrails.mode off', ['+.plimsoll/config.toml']],
    ['npx plimsoll config unset guardrails.mode --scope user', ['+.plimsoll/config.toml']],
    ['plimsoll init --yes', ['+.claude/settings.json']],
    ['plimsoll uninstall --yes', ['+.claude/settings.json']],
    ['plimsoll uninstall --dry-run', []],
    ['plimsoll config show', []],
    ['plimsoll status', []],
  ];
  test.each(cases)('%s', (command, expected) => {
    expect(seen(command)).toEqual(expected);
  });
});

describe('whatever the text', () => {
  const WORDS = [
    'rm',
    'cp',
    'a',
    '"$X"',
    '$(',
    ')',
    '`',
    '(',
    '{',
    '}',
    ';',
    '|',
    '&&',
    '||',
    '\n',
    '>',
    '>>',
    '<<E',
    'E',
    "'",
    '"',
    '\\',
    'if',
    'then',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'while',
    'case',
    'esac',
    'function',
    'f()',
    '$((',
    '))',
    '[[',
    ']]',
    '{a,b}',
    '*',
    '~',
    'X=1',
    '-c',
    'bash',
    'eval',
    'git',
    'checkout',
    '--',
    'find',
    '-exec',
    'xargs',
    '${X:-',
    '${X%',
    '${!X}',
    '@',
    'cd',
    '..',
    'sed',
    '-i',
    '/',
    'env',
    '#',
    '&',
    '!',
    '=',
    'é',
    '\u0000',
  ];
  const script = fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((words) => words.join(' '));

  test('neither parser nor analysis throws, and every change has a path or a reason', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          script,
          fc.string({ unit: 'binary', maxLength: 200 }),
          script.map((text) => text.replaceAll(' ', '')),
        ),
        (text) => {
          needsLook(text);
          for (const tool of ['Bash', 'PowerShell']) {
            for (const change of changes(text, tool).changes)
              expect(change.path !== null || change.why).toBeTruthy();
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('a plain write behind anything that parses is seen', () => {
    fc.assert(
      fc.property(script, (text) => {
        const { changes: found, doubt } = changes(`${text}\n`);
        fc.pre(doubt === null && !/exit|#|<<|\\$/.test(text) && found.length < 100);
        const more = changes(`${text}\necho x > /q/seen`);
        fc.pre(more.doubt === null);
        expect(more.changes.map((each) => each.path)).toContain('/q/seen');
      }),
      { numRuns: 500 },
    );
  });

  /** How often the disk was asked stands for the work done. */
  const work = (command: string): number => {
    asked.resolve = 0;
    const { changes: found } = changes(command);
    return asked.resolve + found.length;
  };
  const HEAVY: [string, (size: number) => string][] = [
    ['nested substitutions', (size) => `${'echo $('.repeat(size)}rm a${')'.repeat(size)}`],
    [
      'nested loops',
      (size) =>
        `${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(Math.min(size, 40))}rm $i;${' done;'.repeat(Math.min(size, 40))}`,
    ],
    [
      'nested whiles',
      (size) => `${'while a; do '.repeat(Math.min(size, 60))}rm a;${' done;'.repeat(Math.min(size, 60))}`,
    ],
    [
      'nested bash -c',
      (size) =>
        Array.from({ length: Math.min(size, 12) }).reduce<string>(
          (text) => `bash -c ${JSON.stringify(text)}`,
          'rm a',
        ),
    ],
    [
      'products of values',
      (size) =>
        `${Array.from({ length: size }, (_, at) => `if a; then V${at}=x; else V${at}=y; fi`).join(';')}; rm ${Array.from({ length: size }, (_, at) => `$V${at}`).join('')}`,
    ],
    ['products of braces', (size) => `rm ${'{a,b}'.repeat(size)}`],
    ['functions that call themselves', (size) => `f() { ${'f; f; '.repeat(Math.min(size, 50))} rm a; }; f`],
    ['long lists', (size) => `rm ${Array.from({ length: size * 100 }, (_, at) => `f${at}`).join(' ')}`],
    ['long pipes', (size) => `${'echo a | '.repeat(size)}xargs rm`],
    ['a large here document', (size) => `cat > a <<E\n${'x $y `z`\n'.repeat(size * 10)}E`],
    [
      'many aliases',
      (size) => `${Array.from({ length: size }, (_, at) => `alias a${at}=a${at + 1}`).join(';')}; a0`,
    ],
  ];
  test.each(HEAVY)('%s end within the caps', (_what, make) => {
    for (const size of [10, 100, 400]) expect(work(make(size))).toBeLessThan(20_000);
  });

  test('a very long command is not followed', () => {
    expect(changes(`echo ${'x'.repeat(300_000)}`).doubt).toMatch(/too long/);
  });
});
