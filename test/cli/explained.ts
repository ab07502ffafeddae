// What explain says of a session, and the events that it explains.
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';

interface Explained {
  session: string;
  silenced: string | null;
  decisions: {
    said: string | null;
    reason: string;
    event: string;
    times: number;
    tier: string | null;
    from: string | null;
    fraction_of_limit: number | null;
    text: string;
  }[];
}
export const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);
export const explained = (host: Host): Explained =>
  JSON.parse(run(host, 'explain', '--session', SESSION, '--json').stdout) as Explained;
export const last = (host: Host): Explained['decisions'][number] | undefined =>
  explained(host).decisions.at(-1);
export const prompt = (host: Host, more: object = {}) =>
  host.fire('UserPromptSubmit', { prompt: 'x', ...more });
export const tool = (host: Host, more: object = {}) =>
  host.fire('PostToolUse', { tool_use_id: 't', ...more });

/** A session whose usage is known, with an answer that was announced at a prompt. */
export function announced(tokens: number, files: Record<string, string> = {}): Host {
  const host = newHost({ files });
  host.append(request('go'), answer(tokens));
  prompt(host);
  return host;
}
let answers = 1;
export const used = (host: Host, tokens: number): void =>
  host.append(answer(tokens, { id: `msg_${++answers}` }));
