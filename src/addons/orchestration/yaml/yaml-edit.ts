// Changes a YAML text so that it holds exactly the given data, without touching anything else in it.
import {
  type Data,
  type DataMap,
  type Edit,
  editsBetween,
  isMap,
  sameData,
} from '../../../text/data-diff.ts';
import { applySpans } from '../../../text/text-edits.ts';
import { ChangeRefused } from '../state/section.ts';
import { YamlEditRefused } from './yaml-draft.ts';
import { type PlanOptions, planSpans } from './yaml-spans.ts';
import { offsetAt, readYaml, type YamlText } from './yaml-text.ts';

/** Thrown for a change that was not made, with the line that prevents it, if there is one. */
export class ChangeRefusedAt extends Error {
  readonly line: number | null;
  readonly hint: string;
  constructor(message: string, line: number | null, hint: string) {
    super(message);
    this.line = line;
    this.hint = hint;
  }
}

/** The result of a change: the new data, and `remarks` as comments to put above existing keys. */
export interface Changed {
  data: DataMap;
  remarks?: Extract<Edit, { kind: 'remark' }>[];
}

/** Refuses a text with faults, whose meaning is uncertain and which a change could damage. */
function checkSound(file: YamlText): void {
  const fault = file.faults[0];
  if (fault === undefined) return;
  throw new YamlEditRefused(
    `This is no sound YAML: ${fault.message}`,
    fault.offset,
    'plimsoll state validate lists all places; repair them by hand, then run this again',
  );
}

/** Refuses a new text that does not hold the intended data in every document. */
function checkMeaning(before: YamlText, after: YamlText, meant: Data): void {
  const isSame =
    after.faults.length === 0 &&
    after.parts.length === Math.max(1, before.parts.length) &&
    after.parts.every((part, index) => {
      const isMain = before.main === null || before.parts[index] === before.main;
      return sameData(part.data, isMain ? meant : (before.parts[index]?.data ?? null));
    });
  if (isSame) return;
  throw new YamlEditRefused(
    'The change would have altered something else in the file as well (an anchor that is used elsewhere?)',
    after.faults[0]?.offset ?? 0,
    'change it by hand',
  );
}

/** Turns a refusal into one that names the line of the text. */
function refusalIn(file: YamlText, error: unknown): unknown {
  if (error instanceof YamlEditRefused)
    return new ChangeRefusedAt(error.message, file.lineAt(error.offset), error.hint);
  if (!(error instanceof ChangeRefused)) return error;
  const line = error.path.length === 0 ? null : file.lineAt(offsetAt(file.main, error.path));
  return new ChangeRefusedAt(error.message, line, error.hint);
}

/**
 * The text with its data changed: only the necessary spans differ; comments and all other bytes stay.
 * @returns the same text when nothing changes
 * @throws ChangeRefusedAt when that is not possible
 */
export function changeYaml(
  text: string,
  change: (data: DataMap, text: string) => Changed,
  options: PlanOptions & { sections: readonly string[] },
): string {
  const before = readYaml(text, options.sections);
  try {
    checkSound(before);
    const data = before.main?.data ?? {};
    if (!isMap(data))
      throw new YamlEditRefused(
        'The file is no map of sections',
        0,
        'plimsoll state validate says what is expected',
      );
    const { data: meant, remarks = [] } = change(data, text);
    const edits = [...editsBetween(data, meant), ...remarks];
    if (edits.length === 0) return text;
    const after = applySpans(text, planSpans(before, edits, options));
    checkMeaning(before, readYaml(after, options.sections), meant);
    return after;
  } catch (error) {
    throw refusalIn(before, error);
  }
}
