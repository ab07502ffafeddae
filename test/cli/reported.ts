// A session to report: a turn that rises to a warning, is compacted, and goes on; with a subagent and hostile words.
import path from 'node:path';
import type { Host } from '../hooks/host.ts';
import { answer, boundary, type Line, request, summary, toolResult } from '../unit/lines.ts';
import { converse } from './saved.ts';

export const HOSTILE = `</title><script>alert(1)</script><img src=x onerror="alert('2')">`;

const at = (minute: number): { timestamp: string } => ({
  timestamp: new Date(Date.UTC(2026, 10, 27, 10, minute)).toISOString(),
});
const told = (tokens: number, minute: number, id: string, content?: unknown): Line =>
  answer(tokens, { id, at: at(minute).timestamp, ...(content === undefined ? {} : { content }) });
const use = (name: string, id: string, input: unknown) => [{ type: 'tool_use', id, name, input }];

/** The lines of the session: 8 main-chain calls, an automatic compaction after the fifth. */
export function sessionLines(cwd: string): Line[] {
  const lines = [
    { type: 'custom-title', customTitle: HOSTILE },
    request(`Build the parser. Never touch the lock file! ${HOSTILE}`, at(0)),
    told(30_000, 0, 'a', use('Read', 't1', { file_path: `${cwd}/a.ts` })),
    { ...toolResult('t1'), ...at(1) },
    told(120_000, 1, 'b', use('Bash', 't2', { command: 'npm test' })),
    { ...toolResult('t2', 'Exit code 1\n\nError: expected 3, got 4', { isError: true }), ...at(2) },
    told(140_000, 2, 'c', use('Write', 't3', { file_path: `${cwd}/b.ts`, content: 'x' })),
    { ...toolResult('t3'), ...at(3) },
    told(150_000, 3, 'd'),
    request('go on', at(4)),
    told(160_000, 4, 'e'),
    boundary('auto', 161_000, at(5)),
    summary(at(5)),
    told(40_000, 6, 'f', use('Read', 't4', { file_path: `${cwd}/a.ts` })),
    { ...toolResult('t4'), ...at(6) },
    told(41_000, 7, 'g', use('Bash', 't5', { command: 'npm test' })),
    { ...toolResult('t5'), ...at(7) },
    told(42_000, 8, 'h'),
  ];
  return lines.map((line) => ({ ...line, cwd, version: '2.1.332', sessionId: 'reported' }));
}

/** Puts the session where the client keeps those of the host's project; gives the transcript's path. */
export const converseReported = (host: Host, id = '0f6e3a52-1111-4222-8333-444455556666'): string =>
  converse(
    host,
    sessionLines(host.project).map((line) => ({ ...line, sessionId: id })),
    id,
  );

export const reportFile = (host: Host, name = 'plimsoll-report.html'): string =>
  path.join(host.project, name);
