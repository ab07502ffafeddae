// What is the summariser asked to keep word for word? PreCompact's plain text reaches its prompt.
import { askedFor } from '../model/asked.ts';
import { type CheckpointDraft, openTaskSubjects } from '../model/checkpoint.ts';
import { shorten } from '../model/work.ts';
import { BUDGETS } from './budget.ts';
import { inline } from './escape.ts';
import { relative } from './lines.ts';

const bytes = (value: string): number => new TextEncoder().encode(value).length;
const say = (value: string, characters: number): string => inline(shorten(value, characters));

/**
 * Facts to be kept verbatim, at most 1,000 bytes, never beginning with `{` (the host would read that as JSON).
 * Null when there is nothing worth keeping.
 */
export function summariserFacts(
  draft: CheckpointDraft,
  path: string | null,
  root: string | null,
): string | null {
  const { work } = draft;
  const asked = askedFor(work.requests);
  const tasks = openTaskSubjects(draft);
  const files = work.files_written.slice(-6).map((file) => relative(file, root));
  const lines = [
    ...(asked === null ? [] : [`- Request of the user: ${say(asked.request, 240)}`]),
    ...(asked?.before ? [`- Asked before: ${say(asked.before, 240)}`] : []),
    ...(tasks.length === 0
      ? []
      : [
          `- Open tasks: ${tasks
            .slice(0, 5)
            .map((task) => say(task, 70))
            .join('; ')}`,
        ]),
    ...(files.length === 0 ? [] : [`- Files written: ${files.map((file) => say(file, 60)).join(', ')}`]),
    ...(draft.recovery_instructions.next_action === null
      ? []
      : [`- Next step: ${say(draft.recovery_instructions.next_action, 160)}`]),
    ...(path === null ? [] : [`- Checkpoint file: ${inline(path)}`]),
  ];
  if (lines.length === 0) return null;
  let text = 'Facts to keep word for word in the summary:';
  for (const line of lines) {
    if (bytes(`${text}\n${line}`) <= BUDGETS.summariserBytes) text = `${text}\n${line}`;
  }
  return text;
}
