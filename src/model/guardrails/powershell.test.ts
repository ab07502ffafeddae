// Tests what is known of a PowerShell command, which is not parsed.
import { expect, test } from 'vitest';
import { readPowerShell } from './powershell.ts';

// [command, the paths that it names]
test.each<[string, string[]]>([
  ['npm test', []],
  ['Get-ChildItem src | Select-Object Name', []],
  ['Set-Content -Path src\\a.ts -Value "x"', ['src/a.ts', 'x']],
  ['"x" > .env', ['x', '.env']],
  ['Remove-Item C:\\code\\other\\x.txt', ['C:/code/other/x.txt']],
  ['Set-Content "my file.txt" 1', ['my file.txt']],
])('%s changes what is not known, and names %j', (command, mentions) => {
  expect(readPowerShell(command).changes).toMatchObject([{ path: null, act: 'write', mentions }]);
});

test('its simple commands are known by their words, and one that is ours alone changes nothing else', () => {
  expect(readPowerShell('if ($true) { plimsoll off }; & "git" status').commands).toEqual([
    ['if'],
    ['$true'],
    ['plimsoll', 'off'],
    ['git', 'status'],
  ]);
  expect(readPowerShell('plimsoll note decision "a"').changes).toEqual([]);
  expect(readPowerShell('plimsoll status > src/a.ts').changes).toHaveLength(1);
  expect(readPowerShell('plimsoll status; make').changes).toHaveLength(1);
});
