// One session of a host: its transcript, its client's process, and its hooks, one by one or all at once.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';
import { jsonl, type Line } from '../unit/lines.ts';
import type { Host } from './host.ts';

/** One session of a host, with a transcript of its own and a process that lives as long as it is told to. */
export function talk(host: Host, id: string, options: { entrypoint?: string; file?: string } = {}) {
  const { entrypoint = 'cli' } = options;
  const transcript = path.join(path.dirname(host.transcript), `${options.file ?? id}.jsonl`);
  const client = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: {}, stdio: 'ignore' });
  const gone = new Promise((resolve) => client.on('exit', resolve));
  const kill = async (): Promise<void> => {
    client.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
  return {
    id,
    transcript,
    kill,
    fire: (event: string, fields: Record<string, unknown> = {}) => {
      host.env.CLAUDE_PID = String(client.pid);
      host.env.CLAUDE_CODE_ENTRYPOINT = entrypoint;
      return host.fire(event, { session_id: id, transcript_path: transcript, ...fields });
    },
    /** The same moment so many times at once, as parallel tools bring it; gives what each printed. */
    together: async (
      count: number,
      event: string,
      fields: Record<string, unknown> = {},
    ): Promise<string[]> => {
      const env = { ...host.env, CLAUDE_PID: String(client.pid), CLAUDE_CODE_ENTRYPOINT: entrypoint };
      const payload = {
        session_id: id,
        transcript_path: transcript,
        cwd: host.project,
        hook_event_name: event,
      };
      const children = Array.from({ length: count }, () => {
        const child = spawn(process.execPath, [path.join(DIST, 'hook.cjs'), event], {
          env,
          cwd: host.project,
        });
        let said = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
        child.stdin.end(JSON.stringify({ ...payload, ...fields }));
        return new Promise<string>((resolve) => child.on('close', () => resolve(said)));
      });
      return Promise.all(children);
    },
    write: (...lines: Line[]) =>
      appendFileSync(transcript, jsonl(lines.map((line) => ({ ...line, timestamp: at(0) })))),
    /** What a hook said, as the client stores it. */
    store: (event: string, text: string) =>
      appendFileSync(
        transcript,
        jsonl([
          {
            type: 'attachment',
            timestamp: at(0),
            attachment: {
              type: 'hook_additional_context',
              content: [text],
              hookName: event,
              hookEvent: event,
            },
          },
        ]),
      ),
    state: () =>
      JSON.parse(readFileSync(host.state('sessions', id, 'state.json'), 'utf8')) as Record<string, never>,
  };
}
export type Talk = ReturnType<typeof talk>;
