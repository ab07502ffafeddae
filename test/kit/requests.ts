// Reads from recorded requests what the model got to read, and in which one.
import type { Kind } from './script.ts';
import type { RecordedRequest } from './scripted-model.ts';

export function ofKind(requests: readonly RecordedRequest[], kind: Kind): RecordedRequest[] {
  return requests.filter((request) => request.kind === kind);
}

/**
 * System prompt and messages as one text. Assert on this rather than on positions: where hook context stands
 * (inside the prompt's message, behind it, in a tool result) depends on the model.
 */
export function textOf(request: RecordedRequest): string {
  return [request.system, ...request.messages.map((message) => message.text)].join('\n');
}

export function countIn(request: RecordedRequest, needle: string): number {
  return textOf(request).split(needle).length - 1;
}

/**
 * The messages that an earlier request of the same loop did not hold yet: everything once said is sent again
 * with each later request, so "is it in there" says nothing about when it came.
 */
export function newText(request: RecordedRequest, earlier: RecordedRequest): string {
  const known = new Set(earlier.messages.map((message) => message.text));
  return request.messages
    .map((message) => message.text)
    .filter((text) => !known.has(text))
    .join('\n');
}
