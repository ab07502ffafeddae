// Tests what a PowerShell command is known to change, as far as its words say it.
import { describe, expect, test } from 'vitest';
import { changesOfPowerShell } from './powershell.ts';

const call = {
  tool: 'PowerShell',
  input: {},
  cwd: 'C:\\code\\app',
  root: 'C:\\code\\app',
  home: 'C:\\Users\\u',
};
const seen = (command: string): string[] =>
  changesOfPowerShell(command, call).changes.map(
    (each) => `${each.act} ${each.path ?? '?'}${each.whole ? ' all' : ''}`,
  );

describe('a PowerShell command', () => {
  // [command, what it changes]
  const cases: [string, string[]][] = [
    ['Get-ChildItem src | Select-Object Name', []],
    ['npm test', []],
    ['Set-Content -Path src\\a.ts -Value "x"', ['write C:/code/app/src/a.ts']],
    ['Set-Content src/a.ts x', ['write C:/code/app/src/a.ts']],
    ['"x" | Out-File -FilePath .env -Append', ['write C:/code/app/.env']],
    ['"x" | Out-File -Fi .env', ['write C:/code/app/.env']],
    ['"x" > .env', ['write C:/code/app/.env']],
    ['echo x 2>&1 >> "my file.txt"', ['write C:/code/app/my file.txt']],
    ['Remove-Item -Recurse -Force src', ['remove C:/code/app/src all']],
    ['rm -r src, docs', ['remove C:/code/app/src all', 'remove C:/code/app/docs all']],
    ['del C:\\code\\other\\x.txt', ['remove C:/code/other/x.txt']],
    ['Copy-Item a.txt -Destination src\\b.txt', ['write C:/code/app/src/b.txt']],
    ['cp a.txt src\\b.txt', ['write C:/code/app/src/b.txt']],
    ['Move-Item a.txt b.txt', ['write C:/code/app/b.txt', 'remove C:/code/app/a.txt all']],
    ['New-Item -ItemType Directory -Path out\\x', ['write C:/code/app/out/x']],
    ['mkdir out', ['write C:/code/app/out']],
    ['Invoke-WebRequest https://example.org/x -OutFile tool.exe', ['write C:/code/app/tool.exe']],
    ['$p = "src\\a.ts"; Remove-Item $p', ['remove C:/code/app/src/a.ts']],
    ['$d = "src"; Remove-Item "$d\\a.ts"', ['remove C:/code/app/src/a.ts']],
    ['Remove-Item $unknown', ['remove ?']],
    ['Remove-Item src\\*.ts', ['remove ?']],
    ['if ($true) { Remove-Item src\\a.ts }', ['remove C:/code/app/src/a.ts']],
    ['cd src; Remove-Item a.ts', ['remove C:/code/app/src/a.ts']],
    ['cd $where; Remove-Item a.ts', ['remove ?']],
    ['Remo`ve-Item src/a.ts', ['remove C:/code/app/src/a.ts']],
    ['iex "Remove-Item x"', ['write ?']],
    ['[IO.File]::WriteAllText("x.txt", "y")', ['write ?']],
    ['& "C:\\tools\\x.exe" a', ['write ?']],
    ["@'\nRemove-Item x\n'@ | Set-Content y.txt", ['write C:/code/app/y.txt']],
    ['# Remove-Item x', []],
    ['Set-Content ~\\.ssh\\config x', ['write C:/Users/u/.ssh/config']],
    ['Set-Content $HOME\\.ssh\\config x', ['write C:/Users/u/.ssh/config']],
  ];
  test.each(cases)('%s', (command, changes) => {
    expect(seen(command)).toEqual(changes);
  });

  test('that does not end cannot be decided', () => {
    expect(changesOfPowerShell('Set-Content "x', call).doubt).toMatch(/cannot be read/);
  });
});
