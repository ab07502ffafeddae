// Tests what is known of a command that is not parsed.
import { expect, test } from 'vitest';
import { readUnparsed } from './find-changes.ts';

const read = (command: string) => readUnparsed(command, 'PowerShell');

// [command, the paths that it names]
test.each<[string, string[]]>([
  ['npm test', []],
  ['Get-ChildItem src | Select-Object Name', []],
  ['Set-Content -Path src\\a.ts -Value "x"', ['src/a.ts', 'x']],
  ['"x" > .env', ['x', '.env']],
  ['Remove-Item C:\\code\\other\\x.txt', ['C:/code/other/x.txt']],
  ['Set-Content "my file.txt" 1', ['my file.txt']],
])('%s changes what is not known, and names %j', (command, mentions) => {
  expect(read(command).changes).toMatchObject([{ path: null, act: 'write', mentions }]);
});

test('its simple commands are known by their words, and one that is ours alone changes nothing else', () => {
  expect(read('if ($true) { plimsoll off }; & "git" status').commands).toEqual([
    ['if'],
    ['$true'],
    ['plimsoll', 'off'],
    ['git', 'status'],
  ]);
  expect(read('plimsoll note decision "a"').changes).toEqual([]);
  expect(read('plimsoll status > src/a.ts').changes).toHaveLength(1);
  expect(read('plimsoll status; make').changes).toHaveLength(1);
});
