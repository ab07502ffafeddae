// Checks that gates, scores and defects of a state file agree with each other.
import { type DataMap, isMap, type Path } from '../../../text/data.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { gateName, scoresOf } from './gates.ts';
import { SECTION } from './section.ts';
import { BY_HAND, formatData, isNone, type Say } from './state-fault.ts';

export function checkGates(section: DataMap, say: Say): void {
  const quality = section.quality_trajectory;
  if (!isMap(quality)) return;
  const at = (...keys: (string | number)[]): Path => [SECTION, 'quality_trajectory', ...keys];
  const names = (key: string): string[] => {
    const list = quality[key] ?? [];
    if (!Array.isArray(list)) {
      say('problem', at(key), formatData(list), 'a list of gates', BY_HAND);
      return [];
    }
    if (list.some((each) => isMap(each))) say('note', at(key), 'maps', 'a list of names', BY_HAND);
    return list.flatMap((each) => gateName(each) ?? []);
  };
  const completed = names('gates_completed');
  const both = names('gates_remaining').filter((each) => completed.includes(each));
  if (both.length > 0)
    say(
      'problem',
      at('gates_remaining'),
      both.join(', '),
      'gates that are not completed',
      `plimsoll state gate pass ${shellWord(both[0] ?? '')}`,
    );
  const current = gateName(quality.current_gate ?? null);
  if (current !== null && completed.includes(current))
    say(
      'problem',
      at('current_gate'),
      current,
      'a gate that is not completed, or null',
      `plimsoll state gate pass ${shellWord(current)}`,
    );
  const history = quality.score_history ?? {};
  if (!isMap(history)) {
    say('problem', at('score_history'), formatData(history), 'a map: gate to list of scores', BY_HAND);
    return;
  }
  for (const [gate, scores] of Object.entries(history)) {
    const list = Array.isArray(scores) ? scores : [scores];
    if (scoresOf(quality, gate).length !== list.length)
      say(
        'problem',
        at('score_history', gate),
        formatData(scores),
        'a list of numbers, one for each iteration',
        BY_HAND,
      );
  }
  const iteration = quality.current_gate_iteration;
  const known = current === null ? 0 : scoresOf(quality, current).length;
  if (typeof iteration === 'number' && (iteration < known || iteration > known + 1))
    say(
      'problem',
      at('current_gate_iteration'),
      String(iteration),
      `${known} or ${known + 1}: gate ${current ?? 'null'} has ${known} scores`,
      current === null ? BY_HAND : `plimsoll state gate enter ${shellWord(current)}`,
    );
}

export function checkDefects(section: DataMap, say: Say): void {
  const summary = section.defect_summary;
  if (!isMap(summary)) return;
  const at = (key: string): Path => [SECTION, 'defect_summary', key];
  for (const key of ['unresolved_defects', 'recurring_patterns']) {
    const value = summary[key];
    if (!isNone(value) && !Array.isArray(value))
      say('problem', at(key), formatData(value), 'a list', BY_HAND);
  }
  const { total_defects_found: found, total_defects_resolved: resolved, unresolved_defects: open } = summary;
  if (typeof found === 'number' && typeof resolved === 'number' && resolved > found)
    say(
      'note',
      at('total_defects_resolved'),
      String(resolved),
      `at most ${found}, the number found`,
      BY_HAND,
    );
  else if (
    typeof found === 'number' &&
    typeof resolved === 'number' &&
    Array.isArray(open) &&
    open.length > found - resolved
  )
    say(
      'note',
      at('unresolved_defects'),
      `${open.length} open`,
      `at most ${found - resolved}: ${found} found, ${resolved} resolved`,
      BY_HAND,
    );
}
