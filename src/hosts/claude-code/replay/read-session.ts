// Reads what a line says of the session that it stands in, and the calls of subagents.

import { isObject, readNonEmpty } from '../../../text/json.ts';
import type { AgentCall, SessionInfo } from '../../host.ts';
import { sumUsage } from '../transcript/line.ts';

/** Lines that give a session its name, with the field that holds it. */
const TITLES: Record<string, string> = {
  'custom-title': 'customTitle',
  'ai-title': 'aiTitle',
  summary: 'summary',
};

export function readSession(line: unknown): SessionInfo | null {
  if (!isObject(line)) return null;
  const info = {
    id: readNonEmpty(line.sessionId),
    client: readNonEmpty(line.version),
    cwd: readNonEmpty(line.cwd),
    entrypoint: readNonEmpty(line.entrypoint),
    title: typeof line.type === 'string' ? readNonEmpty(line[TITLES[line.type] ?? '']) : null,
  };
  return Object.values(info).every((each) => each === null) ? null : info;
}

/** A call of a subagent with its usage, from a transcript of its own or from one that holds the main session too. */
export function readAgentCall(line: unknown): AgentCall | null {
  if (!isObject(line) || line.type !== 'assistant' || !isObject(line.message)) return null;
  if (line.isSidechain !== true && line.agentId === undefined) return null;
  if (line.message.model === '<synthetic>') return null;
  const { tokens } = sumUsage(line.message.usage);
  if (tokens === 0) return null;
  return {
    agent: readNonEmpty(line.agentId) ?? 'agent',
    at: readNonEmpty(line.timestamp),
    tokens,
    messageId: readNonEmpty(line.message.id),
  };
}

export function readAgentEnd(line: unknown): { id: string; type: string } | null {
  const result = isObject(line) && isObject(line.toolUseResult) ? line.toolUseResult : {};
  const [id, type] = [readNonEmpty(result.agentId), readNonEmpty(result.agentType)];
  return id === null || type === null || result.status !== 'completed' ? null : { id, type };
}
