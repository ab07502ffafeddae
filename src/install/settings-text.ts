// Edits the text of the client's settings: puts our hooks in and takes them out, and keeps every other byte.
import type { FormattingOptions, ParseError } from 'jsonc-parser';
import { applyEdits, modify, parse, parseTree, printParseErrorCode } from 'jsonc-parser';

import { findFlaw, isOurHook, type Registration } from '../hosts/claude-code/install/hooks.ts';
import { isObject, type JsonObject } from '../text/json.ts';

/** Says where a settings text is broken; null when it is a valid JSON object. */
export function findFault(text: string): string | null {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first) {
    const before = text.slice(0, first.offset).split('\n');
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${printParseErrorCode(first.error)}`;
  }
  if (!isObject(value)) return 'line 1: a JSON object is expected';
  return value.hooks === undefined || value.hooks === null || isObject(value.hooks)
    ? null
    : '"hooks": a JSON object is expected';
}

/** Detects the indentation and line ends of the file. */
export function detectFormat(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const insertSpaces = !indent.startsWith('\t');
  return {
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

const hooksOf = (text: string): JsonObject => {
  const value: unknown = parse(text);
  return isObject(value) && isObject(value.hooks) ? value.hooks : {};
};

interface Place {
  event: string;
  group: number;
  hook: number;
  isWholeGroup: boolean;
}

function places(text: string): Place[] {
  return Object.entries(hooksOf(text)).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, at: number) => {
      const hooks: unknown[] = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
      return hooks.flatMap((hook, index) =>
        isOurHook(hook) ? [{ event, group: at, hook: index, isWholeGroup: hooks.every(isOurHook) }] : [],
      );
    }),
  );
}

/** Reads our hooks out of a settings text. */
export function readInstalled(text: string): Registration[] {
  const hooks = hooksOf(text);
  return places(text).flatMap(({ event, group, hook }) => {
    const groups = hooks[event] as unknown[];
    const entry = groups[group];
    const found = isObject(entry) && Array.isArray(entry.hooks) ? (entry.hooks[hook] as unknown) : null;
    if (!isObject(entry) || !isObject(found)) return [];
    const flaw = findFlaw(found);
    return [
      {
        event,
        ...(flaw === undefined ? {} : { flaw }),
        ...(typeof entry.matcher === 'string' ? { matcher: entry.matcher } : {}),
        command: String(found.command),
        ...(Array.isArray(found.args) ? { args: found.args.map(String) } : {}),
        timeout: Number(found.timeout ?? 0) || 0,
      },
    ];
  });
}

/** Takes our hooks out; everything else stays as it is, byte for byte. Groups and keys that become empty go too. */
export function withoutHooks(text: string): string {
  let result = text;
  const options = { formattingOptions: detectFormat(text) };
  const drop = (path: (string | number)[]): void => {
    result = applyEdits(result, modify(result, path, undefined, options));
  };
  for (let found = places(result).at(-1); found !== undefined; found = places(result).at(-1)) {
    const groups = hooksOf(result)[found.event] as unknown[];
    if (!found.isWholeGroup) drop(['hooks', found.event, found.group, 'hooks', found.hook]);
    else if (groups.length > 1) drop(['hooks', found.event, found.group]);
    else if (Object.keys(hooksOf(result)).length > 1) drop(['hooks', found.event]);
    else drop(['hooks']);
  }
  return result;
}

/** Puts hooks in, replacing any of ours that are there. */
export function withHooks(text: string, registrations: readonly Registration[]): string {
  let result = withoutHooks(text.trim() === '' ? '{}\n' : text);
  const value: unknown = parse(result);
  if (isObject(value) && value.hooks === null) {
    result = applyEdits(result, modify(result, ['hooks'], {}, { formattingOptions: detectFormat(result) }));
  }
  for (const { event, matcher, ...hook } of registrations) {
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', ...hook }] };
    const tree = parseTree(result);
    const hasEvent = tree !== undefined && Array.isArray(hooksOf(result)[event]);
    const formattingOptions = detectFormat(result);
    result = hasEvent
      ? applyEdits(
          result,
          modify(result, ['hooks', event, -1], group, { formattingOptions, isArrayInsertion: true }),
        )
      : applyEdits(result, modify(result, ['hooks', event], [group], { formattingOptions }));
  }
  return result;
}
