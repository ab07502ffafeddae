// A project to check, and what `plimsoll check` finds in it.
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { type Repository, repository } from '../unit/repository.ts';

export const CONFIG = `[guardrails]
mode = "enforce"

[guardrails.paths]
protected = ["dist/**"]

[[guardrails.architecture.layers]]
name = "model"
files = ["src/model/**"]
packages = []
instead = "pass it in"
`;
export const BAD = "import 'node:fs';\n";
export const project = (files: Record<string, string> = {}): Repository =>
  repository({ '.plimsoll/config.toml': CONFIG, 'src/model/a.ts': '', 'src/b.ts': BAD, ...files });

export const check = ({ folder, env }: Repository, ...args: string[]): CliResult =>
  plimsoll({ env, projectDir: folder }, 'check', ...args);

interface Report {
  ok: boolean;
  files: number;
  findings: { check: string; rule: string; level: string; file: string | null; line: number | null }[];
}
/** Code, and each finding as `file:line check/rule level`. */
export function found(repo: Repository, ...args: string[]): [number, string[]] {
  const { code, stdout } = check(repo, '--json', ...args);
  const { findings } = JSON.parse(stdout) as Report;
  return [
    code,
    findings.map(({ file, line, check: name, rule, level }) => `${file}:${line} ${name}/${rule} ${level}`),
  ];
}
export const IMPORT = 'src/model/a.ts:1 guardrails/architecture error';
