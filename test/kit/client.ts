// Runs the real client without a terminal, once or as one long session.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { clientPath } from './programs.ts';
import type { Sandbox } from './sandbox.ts';

export type HeadlessOptions = { stdin?: string; timeoutMs?: number; cwd?: string };
export type HeadlessResult = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  ms: number;
};

/** The client's stream-json messages; only the keys tests look at are named. */
export type ClientMessage = Record<string, unknown> & { type: string; subtype?: string };
export type ResultMessage = ClientMessage & { result?: string; is_error: boolean; session_id: string };

/** What the person says to a tool call that asks for permission, as the control protocol words it. */
export type Decision =
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  | { behavior: 'deny'; message: string };
export type Decide = (tool: string, input: Record<string, unknown>) => Decision;

export type Session = {
  pid: number;
  /** Everything the client printed so far, parsed. */
  messages: ClientMessage[];
  stderr(): string;
  /** Sends a prompt (or a slash command) and waits for the result message of that turn. */
  say(text: string, options?: { timeoutMs?: number }): Promise<ResultMessage>;
  /** Closes the client's input and waits for it to go; its exit code, or null if a signal ended it. */
  end(): Promise<number | null>;
};

function start(sandbox: Sandbox, args: readonly string[], cwd: string | undefined) {
  const child = spawn(sandbox.client ?? clientPath(), args, {
    cwd: cwd ?? sandbox.projectDir,
    env: sandbox.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  // A client that was killed leaves a broken pipe, which is for the test to notice by other means.
  child.stdin.on('error', () => {});
  const gone = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
    // A process that the client left behind may hold its output open for ever.
    child.on('exit', (code, signal) => setTimeout(resolve, 1_000, { code, signal }).unref());
  });
  sandbox.beforeClose(async () => {
    kill(child);
    await gone.catch(() => {});
  });
  return { child, output, gone };
}

function kill(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}

/** The arguments are passed as they are: give `-p` for a prompt, or a subcommand such as `plugin`. */
export async function runHeadless(
  sandbox: Sandbox,
  args: readonly string[],
  { stdin = '', timeoutMs = 60_000, cwd }: HeadlessOptions = {},
): Promise<HeadlessResult> {
  const startedAt = Date.now();
  const { child, output, gone } = start(sandbox, args, cwd);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill(child);
  }, timeoutMs);
  child.stdin.end(stdin);
  const { code, signal } = await gone.finally(() => clearTimeout(timer));
  if (late)
    throw new Error(`claude ${args.join(' ')} ran over ${timeoutMs} ms\n${output.stdout}\n${output.stderr}`);
  return { code, signal, ...output, ms: Date.now() - startedAt };
}

/** With `decide`, tool calls that no rule allows, and questions of the agent, are answered by it. */
export function openSession(sandbox: Sandbox, args: readonly string[] = [], decide?: Decide): Session {
  const streaming = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const asking = decide === undefined ? [] : ['--permission-prompt-tool', 'stdio'];
  const { child, output, gone } = start(sandbox, [...streaming, ...asking, ...args], undefined);
  const send = (message: unknown) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const messages: ClientMessage[] = [];
  const waiting: ((result: ResultMessage) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const message = JSON.parse(line) as ClientMessage;
    messages.push(message);
    if (message.type === 'result') waiting.shift()?.(message as ResultMessage);
    if (message.type === 'control_request' && decide !== undefined) send(answerTo(message, decide));
  });

  return {
    pid: child.pid ?? 0,
    messages,
    stderr: () => output.stderr,
    say(text, { timeoutMs = 60_000 } = {}) {
      send({ type: 'user', message: { role: 'user', content: text } });
      return new Promise((resolve, reject) => {
        const answered = (result: ResultMessage) => {
          clearTimeout(timer);
          resolve(result);
        };
        const fail = (why: string) => {
          clearTimeout(timer);
          // Else the answer to the next prompt would be handed to this one.
          if (waiting.includes(answered)) waiting.splice(waiting.indexOf(answered), 1);
          reject(
            new Error(`${why} after ${JSON.stringify(text)}
${output.stderr}`),
          );
        };
        const timer = setTimeout(fail, timeoutMs, `no result within ${timeoutMs} ms`);
        waiting.push(answered);
        gone.then(
          ({ code, signal }) => fail(`the client went (${signal ?? code})`),
          (error: unknown) => fail(String(error)),
        );
      });
    },
    async end() {
      child.stdin.end();
      const timer = setTimeout(() => kill(child), 10_000);
      const { code } = await gone.finally(() => clearTimeout(timer));
      return code;
    },
  };
}

function answerTo({ request_id, request }: ClientMessage, decide: Decide): unknown {
  const { tool_name, input } = request as { tool_name: string; input: Record<string, unknown> };
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id, response: decide(tool_name, input) },
  };
}
