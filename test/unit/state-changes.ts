// Changes the text of a state file in tests, by a function of its data or by the next step alone.

import { changeText } from '../../src/addons/orchestration/orchestration-file.io.ts';
import { recover } from '../../src/addons/orchestration/state/recovery.ts';
import type { DataMap } from '../../src/text/json.ts';

export const change = (text: string, by: (top: DataMap) => DataMap): string =>
  changeText(text, (top) => ({ data: by(top) }));
export const next =
  (words: string) =>
  (top: DataMap): DataMap =>
    recover(top, { next_step: words });
