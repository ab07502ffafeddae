// Finds the places of a section that the full YAML parser reads otherwise than the reader that hooks use.
import { type Data, type DataMap, isMap, own, type Path } from '../../../text/data.ts';
import { outlineOf } from '../yaml-lite.ts';
import { SECTION } from './section.ts';

/** Numbers as they are written, and blanks at the ends of lines, are no matter here. */
const plain = (value: Data): string =>
  String(value)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();

function differ(read: Data, whole: Data, path: Path): Path[] {
  if (isMap(whole) && isMap(read))
    return Object.keys(whole).flatMap((key) =>
      differ(own(read, key) ?? null, whole[key] ?? null, [...path, key]),
    );
  if (Array.isArray(whole) && Array.isArray(read) && whole.length === read.length)
    return whole.flatMap((each, index) => differ(read[index] ?? null, each, [...path, index]));
  const isPlain = [read, whole].every((each) => each === null || typeof each !== 'object');
  return isPlain && plain(read) === plain(whole) ? [] : [path];
}

/** The places of the section that hooks read otherwise than they are meant; empty where there is none, or no section. */
export function unreadIn(text: string, top: DataMap): Path[] {
  const section = top[SECTION];
  return isMap(section)
    ? differ((outlineOf(text, [SECTION])[SECTION] ?? {}) as Data, section, [SECTION])
    : [];
}
