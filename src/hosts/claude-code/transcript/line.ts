// Reads the one fact about the context that a transcript line can state; every other line is ignored.
import { isObject, type JsonObject, readCount } from '../../../text/json.ts';
import type { BoundaryFact, LineFact, WindowMarkFact } from '../../entry.ts';
import type { FactReader } from '../../host.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * Tokens in the context of one API call.
 * Formula: input + cache creation + cache read, as the client's own status line and threshold count them.
 * Cache creation is the larger of the flat and the nested figure (the flat one was 0 before 2.1.152);
 * with server-side iterations the last one is the window and the top level only a sum.
 */
export function sumUsage(usage: unknown): { tokens: number; output: number } {
  if (!isObject(usage)) return { tokens: 0, output: 0 };
  const nested = isObject(usage.cache_creation) ? Object.values(usage.cache_creation) : [];
  const creation = Math.max(
    readCount(usage.cache_creation_input_tokens),
    nested.reduce<number>((sum, value) => sum + readCount(value), 0),
  );
  const flat = readCount(usage.input_tokens) + creation + readCount(usage.cache_read_input_tokens);
  const iterations = Array.isArray(usage.iterations) ? usage.iterations : [];
  const last = isObject(iterations.at(-1)) ? sumUsage({ ...iterations.at(-1), iterations: [] }).tokens : 0;
  return { tokens: last > 0 ? last : flat, output: readCount(usage.output_tokens) };
}

function usageFact(line: JsonObject): LineFact | null {
  const message = line.message;
  if (!isObject(message) || line.isApiErrorMessage === true) return null;
  const model = text(message.model) ?? '';
  if (model === '<synthetic>') return null;
  const { tokens, output } = sumUsage(message.usage);
  if (tokens === 0) return { kind: 'unmeasured' };
  const input = isObject(message.usage) ? readCount(message.usage.input_tokens) : 0;
  const [at, messageId] = [text(line.timestamp), text(message.id)];
  return { kind: 'usage', tokens, input, output, model, at, messageId };
}

function boundaryFact(line: JsonObject): BoundaryFact {
  const meta = isObject(line.compactMetadata) ? line.compactMetadata : {};
  const trigger = meta.trigger === 'auto' || meta.trigger === 'manual' ? meta.trigger : null;
  return {
    ...{ kind: 'boundary', trigger, preTokens: readCount(meta.preTokens) || null },
    ...{ follows: text(line.logicalParentUuid), at: text(line.timestamp) },
  };
}

/** What the name of a model says about its window. */
export const readWindowMark = (model: unknown): WindowMarkFact | null =>
  typeof model === 'string' && model !== ''
    ? { kind: 'window-mark', model: model.replace(/\[1m\]/i, ''), isMarked: /\[1m\]/i.test(model) }
    : null;

function attachmentFact(attachment: unknown): LineFact | null {
  if (!isObject(attachment)) return null;
  if (attachment.type === 'model') {
    return readWindowMark(isObject(attachment.identity) ? attachment.identity.modelId : attachment.modelId);
  }
  if (attachment.type !== 'hook_additional_context') return null;
  const content = Array.isArray(attachment.content) ? attachment.content : [attachment.content];
  return { kind: 'injection', text: content.filter((part) => typeof part === 'string').join('\n') };
}

const isMainLine = (line: unknown): line is JsonObject =>
  isObject(line) && line.isSidechain !== true && line.agentId === undefined;

/** Fields of a message that are no text: pictures, signatures, and thoughts, which the next request leaves out. */
const NO_TEXT = new Set(['data', 'signature', 'thinking']);

function countText(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + countText(each), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, each]) => sum + (NO_TEXT.has(key) ? 0 : countText(each)),
    0,
  );
}

function countCharacters(line: unknown): number {
  if (!isMainLine(line)) return 0;
  const from = line.type === 'attachment' ? line.attachment : line.message;
  return isObject(from) ? countText(from.content) : 0;
}

/**
 * The fact that a parsed transcript line states about the main session, or null.
 * Subagents (`isSidechain`, `agentId`), lines that the client made up (`<synthetic>`) and API errors say nothing about
 * the main context; usage of zero is what a provider writes that reports none.
 */
export function readLineFact(line: unknown): LineFact | null {
  if (!isMainLine(line)) return null;
  switch (line.type) {
    case 'assistant':
      return usageFact(line);
    case 'system':
      return line.subtype === 'compact_boundary' ? boundaryFact(line) : null;
    case 'user':
      // Clients up to 1.0.x write no boundary; their summary starts a new chain. Later ones hang it on the boundary.
      return line.isCompactSummary === true && line.parentUuid === null
        ? { kind: 'boundary', trigger: null, preTokens: null, at: text(line.timestamp) }
        : null;
    case 'attachment':
      return attachmentFact(line.attachment);
    default:
      return null;
  }
}

export const claudeFacts: FactReader = {
  markers: ['compact_boundary', 'isCompactSummary', 'hook_additional_context', '"modelId"'],
  usageMarkers: ['"usage"', '"assistant"'],
  readFact: readLineFact,
  countCharacters,
};
