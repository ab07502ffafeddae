// A sandbox for a host of any kind: folders of its own, an environment built from nothing, and a scripted model on loopback.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plimsoll } from '../kit/plimsoll.ts';
import { sandboxPath } from '../kit/programs.ts';
import type { MessagesBody } from '../kit/request-body.ts';
import type { Kind, Script } from '../kit/script.ts';
import { type ScriptedModel, startScriptedModel } from '../kit/scripted-model.ts';

export interface HostSandbox {
  root: string;
  home: string;
  projectDir: string;
  env: Record<string, string>;
  model: ScriptedModel;
  /** Something to end before the folders go: every process that was started here. */
  beforeClose(end: () => Promise<unknown>): void;
  close(): Promise<void>;
}

export async function createHostSandbox(options: {
  script: Script;
  /** Tells whose request it is. */
  kindOf: (body: MessagesBody) => Kind;
  env?: Record<string, string>;
  /** Path from the project -> content. */
  files?: Record<string, string>;
  /** Another host's sandbox, whose project and home this one shares. */
  beside?: HostSandbox;
}): Promise<HostSandbox> {
  const { beside } = options;
  if (beside !== undefined) {
    const model = await startScriptedModel(options.script, undefined, options.kindOf);
    return { ...beside, env: { ...beside.env, ...options.env }, model, close: () => model.close() };
  }
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ph-')));
  const home = path.join(root, 'home');
  const projectDir = path.join(root, 'work', 'project');
  for (const folder of [home, projectDir, path.join(root, 't')]) mkdirSync(folder, { recursive: true });
  const model = await startScriptedModel(options.script, undefined, options.kindOf);
  const env = {
    PATH: sandboxPath(),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    HOME: home,
    TMPDIR: path.join(root, 't'),
    ...options.env,
  };
  for (const [name, content] of Object.entries(options.files ?? {})) {
    mkdirSync(path.dirname(path.join(projectDir, name)), { recursive: true });
    writeFileSync(path.join(projectDir, name), content);
  }
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: projectDir, env, stdio: 'pipe' });
  const endings: (() => Promise<unknown>)[] = [];
  return {
    ...{ root, home, projectDir, env, model },
    beforeClose: (end) => void endings.push(end),
    async close() {
      await Promise.allSettled(endings.map((end) => end()));
      try {
        await model.close();
      } finally {
        await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      }
    },
  };
}

/** Switches Plimsoll on for a host, as a person does. */
export function initHost(sandbox: HostSandbox, name: string): HostSandbox {
  const { code, stderr, stdout } = plimsoll(sandbox, 'init', '--host', name, '--yes');
  if (code !== 0) throw new Error(`plimsoll init failed: ${stderr}${stdout}`);
  return sandbox;
}

/** What a driver needs of a host's process, which ends with the sandbox at the latest. */
export function watchChild(child: ChildProcess, sandbox: HostSandbox) {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin?.on('error', () => undefined);
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await gone;
  };
  sandbox.beforeClose(kill);
  return { gone, kill, stderr: () => errors };
}
