// Edits the text of the client's settings: puts our hooks in and takes them out, and keeps every other byte.
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

import { listHookChanges } from '../hosts/claude-code/install/hook-changes.ts';
import { findFlaw, isOurHook, type Registration } from '../hosts/claude-code/install/hooks.ts';
import type { HookPlace, HostSetup } from '../hosts/host-entry.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { detectFormat, findDoubleKey, removeValue, setValue } from './json-edits.ts';

const placeIn = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
};

/** Says why a settings text cannot be edited, and where; null when it can: a JSON object that holds no key of ours twice. */
export function findFault(text: string): string | null {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first)
    return `${placeIn(text, first.offset)}: ${printParseErrorCode(first.error).replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
  if (!isObject(value)) return 'line 1: a JSON object is expected';
  const double = findDoubleKey(text, [[], ['hooks'], ['statusLine']]);
  if (double !== null)
    return `${placeIn(text, double.offset)}: "${double.key}" is there for the second time, and only one of them counts`;
  const { hooks } = value;
  if (hooks === undefined || hooks === null) return null;
  if (!isObject(hooks)) return '"hooks": a JSON object is expected';
  const odd = Object.keys(hooks).find((event) => hooks[event] !== null && !Array.isArray(hooks[event]));
  return odd === undefined ? null : `"hooks.${odd}": a list is expected`;
}

const hooksOf = (text: string): JsonObject => {
  const value: unknown = parse(text);
  return isObject(value) && isObject(value.hooks) ? value.hooks : {};
};

interface Place extends HookPlace {
  isWholeGroup: boolean;
}

/** Where our hooks stand in a settings text. */
export function findPlaces(text: string): Place[] {
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
  return findPlaces(text).flatMap(({ event, group, hook }) => {
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

/**
 * Takes our hooks out; everything else stays as it is, byte for byte. Groups and keys that become empty go too.
 * @param before the text before ours were put in, where it is known: what was empty there stays
 */
export function withoutHooks(text: string, before: string | null = null): string {
  let result = text;
  const known = before === null ? null : hooksOf(before);
  const hadHooks = before !== null && isObject(parse(before)) && 'hooks' in (parse(before) as JsonObject);
  for (let found = findPlaces(result).at(-1); found !== undefined; found = findPlaces(result).at(-1)) {
    const { event, group, hook, isWholeGroup } = found;
    const groups = hooksOf(result)[event] as unknown[];
    const isOnly = Object.keys(hooksOf(result)).length === 1;
    if (!isWholeGroup) result = removeValue(result, ['hooks', event, group, 'hooks', hook]);
    else if (groups.length > 1 || known?.[event] !== undefined)
      result = removeValue(result, ['hooks', event, group]);
    else if (!isOnly || hadHooks) result = removeValue(result, ['hooks', event]);
    else result = removeValue(result, ['hooks']);
  }
  // What was null had to become a list, or an object.
  const nulls = Object.keys(known ?? {}).filter((event) => known?.[event] === null);
  for (const event of nulls) result = setValue(result, ['hooks', event], null);
  const wasNull = before !== null && (parse(before) as JsonObject | null)?.hooks === null;
  return wasNull && Object.keys(hooksOf(result)).length === 0 ? setValue(result, ['hooks'], null) : result;
}

/** Puts hooks in, replacing any of ours that are there. */
export function withHooks(text: string, registrations: readonly Registration[]): string {
  let result = text.trim() === '' ? '{}\n' : withoutHooks(text);
  const format = detectFormat(result);
  for (const { event, matcher, ...hook } of registrations) {
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', ...hook }] };
    const value: unknown = parse(result);
    if (isObject(value) && !isObject(value.hooks))
      result = setValue(result, ['hooks'], { [event]: [group] }, format);
    else if (Array.isArray(hooksOf(result)[event]))
      result = setValue(result, ['hooks', event, -1], group, format);
    else result = setValue(result, ['hooks', event], [group], format);
  }
  return result;
}

/** The text of a host's file with what is ours; the very text where it is there. @throws where it cannot be edited */
export function withSetup(setup: HostSetup, before: string | null): string {
  if (!('hooks' in setup)) return setup.text;
  const fault = before === null || before.trim() === '' ? null : findFault(before);
  if (fault !== null) throw new Error(fault);
  return before !== null && listHookChanges(readInstalled(before), setup.hooks).length === 0
    ? before
    : withHooks(before ?? '', setup.hooks);
}

/** The text without what is ours; null where it was ours alone. @param before the text before ours was put in, or null */
export const withoutSetup = (setup: HostSetup, text: string, before: string | null): string | null =>
  'hooks' in setup ? withoutHooks(text, before) : null;
