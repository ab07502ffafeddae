// A running session in a repository with guarded files, and the commands that run in it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

export const LAYERS =
  '[[guardrails.architecture.layers]]\nname = "model"\nfiles = ["src/model/**"]\nforbid = ["store"]\n\n[[guardrails.architecture.layers]]\nname = "store"\nfiles = ["src/store/**"]\n';
export const BREACH = "import { b } from '../store/b.ts';\nexport const a = b;\n";

export function git(host: Host, ...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const env = { PATH: host.env.PATH, HOME: host.env.HOME, GIT_CONFIG_NOSYSTEM: '1' };
  const result = spawnSync('git', [...identity, ...args], { cwd: host.project, env, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(result.stderr);
}

/** A session under way in a repository whose `gen/` is protected, or what `guarded` names. */
export function working(
  options: { mode?: string; more?: string; guarded?: string; files?: Record<string, string> } = {},
): Host {
  const { mode = 'enforce', more = '', guarded = 'gen/**' } = options;
  const config = `[guardrails]\nmode = "${mode}"\n\n[guardrails.paths]\nprotected = ["${guarded}"]\n\n${more}`;
  const files = { 'gen/a.js': 'as it was\n', 'src/model/a.ts': 'export const a = 1;\n', ...options.files };
  const host = newHost({ files: { ...files, '.plimsoll/config.toml': config } });
  rmSync(path.join(host.project, '.git'), { recursive: true });
  git(host, 'init', '--quiet');
  git(host, 'add', '.');
  git(host, 'commit', '--quiet', '-m', 'first');
  host.append(request('Go'), answer(30_000, { id: 'm1' }));
  host.fire('UserPromptSubmit', { prompt_id: 'p1' });
  return host;
}

export type Call = [tool: string, input: Record<string, unknown>];
export const bash = (command: string): Call => ['Bash', { command }];
export const edit = (host: Host, file: string): Call => [
  'Edit',
  { file_path: path.join(host.project, file) },
];
export const put = (host: Host, file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(host.project, file)), { recursive: true });
  writeFileSync(path.join(host.project, file), text);
};

export const asked = (host: Host, [tool_name, tool_input]: Call, fields: object = {}): string =>
  host.fire('PreToolUse', { tool_name, tool_input, tool_use_id: 't', prompt_id: 'p1', ...fields }).context;
export const ran = (host: Host, calls: Call[], fields: object = {}): string => {
  const tool_calls = calls.map(([tool_name, tool_input]) => ({ tool_name, tool_input, tool_use_id: 't' }));
  return host.fire('PostToolBatch', { tool_calls, prompt_id: 'p1', ...fields }).context;
};
/** A batch of one call, with what happens while it runs. */
export function run(host: Host, call: Call, meanwhile: () => void = () => undefined): string {
  asked(host, call);
  meanwhile();
  return ran(host, [call]);
}
export const looked = (host: Host): string => host.state('sessions', SESSION, 'looked');

export const WARNED =
  /^Plimsoll: (?:since the last look|while `[^`\n]+` ran, and no other command,) files have changed/;
