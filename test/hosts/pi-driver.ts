// pi as the scenario of all hosts drives it: by its RPC mode, which has a person in front of it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DIST } from '../kit/plimsoll.ts';
import { createHostSandbox, type HostSandbox, initHost, watchChild } from './sandbox.ts';
import type { HostDriver, HostSession } from './scenario.ts';

const WINDOW = 60_000;
const RESERVE = 20_000;

/** By which ways pi has Plimsoll: a file of `plimsoll init`, or our npm package as one of pi's own. */
export type PiWay = 'init' | 'package';

/** @param program pi's own entry, and the Node that runs it */
export function drivePi(
  program: { node: string; cli: string },
  ways: readonly PiWay[] = ['init'],
): HostDriver {
  return {
    window: WINDOW,
    limit: WINDOW - RESERVE,
    async open({ script, ...more }) {
      const sandbox = await createHostSandbox({
        script,
        ...more,
        env: { PI_OFFLINE: '1' },
        // pi asks for nothing but answers and summaries; the latter it wants without tools.
        kindOf: (body) => ((body.tools ?? []).length === 0 ? 'summary' : 'main'),
      });
      const folder = path.join(sandbox.home, '.pi', 'agent');
      mkdirSync(folder, { recursive: true });
      const model = { id: 'scripted', contextWindow: WINDOW, maxTokens: 2_000 };
      const provider = {
        baseUrl: sandbox.model.url,
        apiKey: 'sk-none',
        api: 'anthropic-messages',
        models: [model],
      };
      writeJson(path.join(folder, 'models.json'), { providers: { scripted: provider } });
      const compaction = { enabled: true, reserveTokens: RESERVE, keepRecentTokens: 50 };
      writeJson(path.join(folder, 'settings.json'), { compaction });
      if (ways.includes('package'))
        execFileSync(program.node, [program.cli, 'install', packOnce()], {
          ...{ cwd: sandbox.projectDir, env: sandbox.env, stdio: 'pipe' },
        });
      if (!ways.includes('init')) return sandbox;
      return initHost(sandbox, 'pi');
    },
    async start(sandbox, how = 'new') {
      const args = [program.cli, '--mode', 'rpc', '--provider', 'scripted', '--model', 'scripted'];
      const child = spawn(program.node, [...args, ...(how === 'again' ? ['--continue'] : [])], {
        cwd: sandbox.projectDir,
        env: sandbox.env,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return talkTo(child, sandbox);
    },
    run: (command) => ({ name: 'bash', input: { command } }),
    write: (file, content) => ({ name: 'write', input: { path: file, content } }),
  };
}

let packed: string | null = null;

/** What would be published, unpacked into a folder; without its dependencies, which pi does not need. */
function packOnce(): string {
  if (packed !== null) return packed;
  const folder = path.join(DIST, '..', '.cache', 'published');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const file = execFileSync('npm', pack, { cwd: path.join(DIST, '..'), encoding: 'utf8' }).trim();
  execFileSync('tar', ['xzf', file], { cwd: folder });
  packed = path.join(folder, 'package');
  return packed;
}

const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value)}\n`);

/** A session, and what its line below the prompt has shown of ours; undefined where it was taken away. */
export interface PiSession extends HostSession {
  statuses: (string | undefined)[];
}

function talkTo(child: ChildProcess, sandbox: HostSandbox): PiSession {
  const { gone, kill, stderr } = watchChild(child, sandbox);
  let settled: () => void = () => undefined;
  const statuses: PiSession['statuses'] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    if (line.includes('"type":"agent_settled"')) settled();
    if (!line.includes('"method":"setStatus"')) return;
    const { statusKey, statusText } = JSON.parse(line) as { statusKey: string; statusText?: string };
    if (statusKey === 'plimsoll') statuses.push(statusText);
  });
  return {
    statuses,
    say(message) {
      child.stdin?.write(`${JSON.stringify({ type: 'prompt', message })}\n`);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`pi did not settle: ${stderr()}`)), 60_000);
        const done = (): void => clearTimeout(timer);
        settled = () => {
          done();
          resolve();
        };
        void gone.then(() => {
          done();
          reject(new Error(`pi went: ${stderr()}`));
        });
      });
    },
    async end() {
      child.stdin?.end();
      const timer = setTimeout(() => child.kill('SIGTERM'), 5_000);
      await gone.finally(() => clearTimeout(timer));
    },
    kill,
  };
}
