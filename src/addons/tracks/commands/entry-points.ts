// Texts of the scripts in automation/hooks/, which hand standard input to our hooks, and the lines of .gitignore.

import { buildHookCommand } from '../../../hosts/claude-code/install/hooks.ts';
import { HOOKS } from '../../../hosts/claude-code/names.ts';
import { detectEol } from '../../../text/text-edits.ts';

/** A script in sh. It finds each user's own bundle and Node; where one is missing, nothing happens. */
const shell = (event: string): string => `#!/bin/sh
# ${event}: hands what the host says on standard input to plimsoll, and its answer back. Without plimsoll nothing happens.
( ${buildHookCommand({ bundle: '', node: '', event, windows: false, isShared: true }).command} )
exit 0
`;

const python = (event: string): string => `#!/usr/bin/env python3
"""${event}: hands what the host says on standard input to plimsoll, and its answer back. Without plimsoll nothing happens."""
import os
import shutil
import subprocess
import sys


def main() -> None:
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    bundle = os.path.join(data, "plimsoll", "current", "hook.cjs")
    node = shutil.which("node")
    if node is None or not os.path.isfile(bundle):
        return
    subprocess.call([node, bundle, "${event}"], env={**os.environ, "NODE_EXTRA_CA_CERTS": "", "NODE_OPTIONS": ""})


try:
    main()
except Exception:
    pass  # A hook never stands in the way.
sys.exit(0)
`;

/** A file that concerns tracks, as `init --tracks` writes it over the one that is there; null for any other. */
export const findOwnText = (path: string, before: () => string | null): string | null =>
  path === '.gitignore' ? addIgnored(before()) : (new Map(ENTRY_POINTS).get(path) ?? null);

/** Path and text of each script; the files are executable. */
export const ENTRY_POINTS: readonly (readonly [path: string, text: string])[] = [
  ['automation/hooks/precompact.sh', shell(HOOKS.beforeCompaction)],
  ['automation/hooks/pretooluse.py', python(HOOKS.beforeTool)],
  ['automation/hooks/posttooluse.py', python(HOOKS.afterTool)],
];

/** What only concerns this machine. The checkpoints themselves are committed: a fresh clone recovers from them. */
const LINES = ['artifacts/sessions/', 'artifacts/checkpoints/*.lock'];
const MARK = '# plimsoll: what sessions leave behind stays on this machine';

/** The text with our lines at its end; unchanged where they are there. Null: there is no file. */
export function addIgnored(text: string | null): string {
  const before = text ?? '';
  const known = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const missing = LINES.filter((line) => !known.has(line) && !known.has(`/${line}`));
  if (missing.length === 0) return before;
  const eol = detectEol(before);
  const gap = before === '' ? '' : before.endsWith('\n') ? eol : eol + eol;
  return `${before}${gap}${[MARK, ...missing].join(eol)}${eol}`;
}
