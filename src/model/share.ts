// Makes our data fit to be shared: without what people wrote, without secrets, without the user's name and home folder.
import { isObject, type Json } from './json.ts';
import { redactDeep } from './redact.ts';
import { PARTS, SHOWN, TABLES } from './shown.ts';

const hiddenText = (text: string): string => `[text left out: ${text.length} characters]`;

/** What the engine says of a text that is no JSON quotes the text. */
const QUOTED = /Unexpected token [\s\S]{1,8}, (?:\.\.\.)?"[\s\S]{0,200}"(?:\.\.\.)? is not valid JSON/g;
const withoutQuotes = (text: string): string => text.replace(QUOTED, 'the text is not valid JSON');

/** Text that is shown has the form that its key promises. */
function toldText(key: string, text: string): string {
  if (text === '') return text;
  const form = SHOWN.get(key);
  return form?.test(text) ? withoutQuotes(text) : hiddenText(text);
}

const countOf = (entries: number): string => `[left out: ${entries} ${entries === 1 ? 'entry' : 'entries'}]`;

function toldFields(key: string, value: Json): Json {
  const isTable = TABLES.has(key);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isTable && isObject(each) ? toldFields(name, each) : toldUnder(name, each),
    ]),
  );
}

/** What is told of a value by its key: figures and marks, the parts that are named, and how much there was of the rest. */
function toldUnder(key: string, value: unknown): unknown {
  if (typeof value === 'string') return toldText(key, value);
  const isPart = PARTS.has(key) || TABLES.has(key);
  if (Array.isArray(value))
    return isPart || value.length === 0 ? value.map((each) => toldUnder(key, each)) : countOf(value.length);
  if (!isObject(value)) return value;
  const { length } = Object.keys(value);
  return isPart || length === 0 ? toldFields(key, value) : countOf(length);
}

/** A plain value without what people wrote: their words are counted, not told, and so is all that nobody named. */
export const withoutText = (value: Json): Json => toldFields('', value);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Names that are everybody's tell nothing, and are words of their own. */
const COMMON = /^(?:root|user|home|admin|node|dev|me|ubuntu|runner)?$/i;

/** The client's name for a folder, as it stands in the paths of transcripts. */
const slugOf = (folder: string): string => folder.replace(/[^A-Za-z0-9]/g, '-');

/**
 * Replaces home folders, also as the client writes them into names, and the name of the user by `~`, in every string.
 * @param homes all paths of the home folder: as it is named, and as it is
 */
export function anonymous(value: unknown, homes: readonly string[], user: string | null): unknown {
  const paths = homes.filter((home) => home.length > 1).sort((a, b) => b.length - a.length);
  const patterns = [
    ...paths.map((home) => new RegExp(`${escaped(home)}(?![\\w-]|\\.\\w)`, 'g')),
    ...paths.map((home) => new RegExp(`${escaped(slugOf(home))}(?![A-Za-z0-9])`, 'g')),
    ...(user === null || COMMON.test(user)
      ? []
      : [new RegExp(`(?<![A-Za-z0-9])${escaped(user)}(?![A-Za-z0-9])`, 'gi')]),
  ];
  const clean = (text: string): string => patterns.reduce((result, each) => result.replace(each, '~'), text);
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') return clean(each);
    if (Array.isArray(each)) return each.map(walk);
    return isObject(each)
      ? Object.fromEntries(Object.entries(each).map(([key, inner]) => [clean(key), walk(inner)]))
      : each;
  };
  return walk(value);
}

/** All of that at once, secrets first: what stands beside a secret's name must still stand there. */
export function shareable(
  value: object,
  options: { homes: readonly string[]; user: string | null; withText: boolean },
): unknown {
  const plain = JSON.parse(JSON.stringify(value)) as Json;
  const safe = redactDeep(options.withText ? plain : withoutText(plain));
  return anonymous(safe, options.homes, options.user);
}
