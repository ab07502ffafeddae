// Codex as the scenario of all hosts drives it: a process for each prompt, which the next one goes on with.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { plimsoll } from '../kit/plimsoll.ts';
import { createHostSandbox } from './sandbox.ts';
import type { HostDriver } from './scenario.ts';

const WINDOW = 60_000;
const LIMIT = 40_000;

export function driveCodex(program: string): HostDriver {
  return {
    // It keeps a twentieth of the window to itself.
    window: WINDOW * 0.95,
    limit: LIMIT,
    async open({ script, ...more }) {
      const sandbox = await createHostSandbox({
        script,
        ...more,
        env: { SCRIPTED_KEY: 'sk-none' },
        kindOf: (body) => ((body.tools ?? []).length === 0 ? 'summary' : 'main'),
      });
      const folder = path.join(sandbox.home, '.codex');
      mkdirSync(folder, { recursive: true });
      const config = [
        'model = "scripted"',
        'model_provider = "scripted"',
        `model_context_window = ${WINDOW}`,
        `model_auto_compact_token_limit = ${LIMIT}`,
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${sandbox.model.url}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
      ];
      writeFileSync(path.join(folder, 'config.toml'), `${config.join('\n')}\n`);
      const { code, stderr, stdout } = plimsoll(sandbox, 'init', '--host', 'codex', '--yes');
      if (code !== 0) throw new Error(`plimsoll init failed: ${stderr}${stdout}`);
      return sandbox;
    },
    async start(sandbox, how = 'new') {
      let isBegun = how === 'again';
      let kill = async (): Promise<void> => undefined;
      sandbox.beforeClose(() => kill());
      return {
        say(text) {
          const args = [
            'exec',
            '--dangerously-bypass-hook-trust',
            ...(isBegun ? ['resume', '--last'] : []),
            text,
          ];
          isBegun = true;
          const child = spawn(program, args, {
            cwd: sandbox.projectDir,
            env: sandbox.env,
            stdio: ['ignore', 'pipe', 'pipe'],
          });
          let printed = '';
          for (const stream of [child.stdout, child.stderr])
            stream.setEncoding('utf8').on('data', (part: string) => {
              printed += part;
            });
          const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
          kill = async () => {
            if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
            await gone;
          };
          return gone.then(() => {
            if (child.exitCode !== 0) throw new Error(`codex ended with ${child.exitCode}: ${printed}`);
          });
        },
        end: async () => undefined,
        kill: () => kill(),
      };
    },
    run: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    write: (file, content) => ({
      name: 'exec_command',
      input: {
        cmd: `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n${content.replace(/^(?=.)/gm, '+')}*** End Patch\nEOF\n`,
      },
    }),
  };
}
