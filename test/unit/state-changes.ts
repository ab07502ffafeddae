// Changes the text of a state file in tests, by a function of its data or by the next step alone.
import type { DataMap } from '../../src/model/edits.ts';
import { changeNext } from '../../src/model/state/recovery.ts';
import { changeText } from '../../src/store/orchestration-file.ts';

export const change = (text: string, by: (top: DataMap) => DataMap): string =>
  changeText(text, (top) => ({ data: by(top) }));
export const next =
  (words: string) =>
  (top: DataMap): DataMap =>
    changeNext(top, words);
