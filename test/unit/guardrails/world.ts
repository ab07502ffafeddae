// A project to guard, on a real disk: sources, documents, secrets, links, and a second worktree beside it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileSystemPort, GuardedCall } from '../../../src/addons/guardrails/guard-call.ts';
import { findCommandChanges } from '../../../src/addons/guardrails/hook/parse-command.ts';
import { readImports } from '../../../src/addons/guardrails/imports/read-imports.ts';
import { checkGuardedCall } from '../../../src/addons/guardrails/judge.ts';
import type { Verdict } from '../../../src/hosts/verdict.ts';
import { createDiskPort } from '../../../src/platform/real-paths.ts';
import { buildOptions, type GivenOptions } from '../../../src/settings/guardrail-options.ts';

const NOTEBOOK = JSON.stringify({
  cells: [{ id: 'one', cell_type: 'code', metadata: {}, outputs: [], source: ['x = 1\n'] }],
  metadata: { kernelspec: { language: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

const FILES: Record<string, string> = {
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/.git/config': '[core]\n',
  'project/.git/hooks/pre-commit.sample': '',
  'project/.git/worktrees/other/commondir': '../..\n',
  'project/.git/worktrees/other/gitdir': '',
  'project/src/model/tier.ts': 'export const tier = 1;\n',
  'project/src/cli/main.ts': "import { tier } from '../model/tier.ts';\n",
  'project/src/app.py': 'import os\n',
  'project/docs/guide.md': '# Guide\n',
  'project/docs/governance/RULES.md': '# Rules\n',
  'project/docs/governance/CONSTITUTION.md': '# Constitution\n',
  'project/docs/book.ipynb': NOTEBOOK,
  'project/artifacts/report.md': '',
  'project/work/book.ipynb': NOTEBOOK,
  'project/.env': 'KEY=1\n',
  'project/.env.example': 'KEY=\n',
  'project/certs/server.pem': '',
  'project/.claude/settings.json': '{}\n',
  'project/.claude/rules/style.md': '',
  'project/.plimsoll/config.toml': '',
  'project/package.json': '{}\n',
  'project/fix.patch': '--- a/src/model/tier.ts\n+++ b/src/model/tier.ts\n@@ -1 +1 @@\n-a\n+b\n',
  'project/clean.sh': 'rm -rf src\n',
  'project/edit.sed': 'w src/model/tier.ts\n',
  'project/drop.sql': 'DROP TABLE users;\n',
  'project/list.txt': 'src/model/tier.ts\n',
  'project/docs/names': 'docs/guide.md\n',
  'other/docs/guide.md': '',
  'other/docs/governance/RULES.md': '',
  'other/src/model/tier.ts': '',
  'elsewhere/notes.md': '',
};

export interface World {
  root: string;
  home: string;
  /** The folder that holds the project, its worktree and what lies elsewhere. */
  top: string;
  sight: FileSystemPort;
  call(tool: string, input: Record<string, unknown>, cwd?: string): GuardedCall;
  verdict(call: GuardedCall, given: GivenOptions): Verdict;
  remove(): void;
}

export function world(): World {
  const top = mkdtempSync(join(realpathSync(tmpdir()), 'plimsoll-guard-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  writeFileSync(join(top, 'other/.git'), `gitdir: ${join(top, 'project/.git/worktrees/other')}\n`);
  mkdirSync(join(top, 'home/.ssh'), { recursive: true });
  const root = join(top, 'project');
  symlinkSync('../src', join(root, 'docs/sources'));
  symlinkSync('../src/new.ts', join(root, 'docs/dangling.ts'));
  symlinkSync('../.env', join(root, 'docs/settings.txt'));
  symlinkSync('docs', join(root, 'papers'));
  symlinkSync('/', join(root, 'docs/top'));
  const home = join(top, 'home');
  const sight: FileSystemPort = {
    ...createDiskPort(root),
    commands: findCommandChanges,
    isCommitted: (path) => /\/(?:src|docs)$/.test(path),
    imports: readImports,
  };
  return {
    root,
    home,
    top,
    sight,
    remove: () => rmSync(top, { recursive: true, force: true }),
    call: (tool, input, cwd = root) => ({ tool, input, cwd, root, home }),
    verdict: (call, given) => checkGuardedCall(call, buildOptions({ mode: 'enforce', ...given }), sight),
  };
}
