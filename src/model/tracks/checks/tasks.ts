// Checks that the plan has tasks, each with a state and with acceptance criteria.
import { boxesIn } from '../progress.ts';
import type { TextLine } from '../text-lines.ts';
import type { Check } from './check.ts';

const NEXT = 'write "- [ ] Task: …" with "  - Acceptance: …" below it';

const indentOf = (each: TextLine | undefined): number => /^\s*/.exec(each?.text ?? '')?.[0].length ?? 0;

const isBlank = (each: TextLine | undefined): boolean => each?.text.trim() === '';

export const checkTasks: Check = ({ plan }) => {
  if (!plan.isThere) return [];
  const { path, lines } = plan;
  const tasks = plan.entries.entries.filter((each) => each.kind === 'task');
  if (tasks.length === 0) {
    // A task that the schema does not take is told of by the schema's check.
    if (plan.violations.length > 0) return [];
    const boxes = boxesIn(plan.lines);
    const message =
      boxes.length === 0
        ? 'no task'
        : `${boxes.length} ${boxes.length === 1 ? 'box' : 'boxes'}, and none of them is a "Task:" with acceptance`;
    return [{ file: path, line: boxes[0]?.line ?? null, message, next: NEXT }];
  }
  const places = new Map(lines.map(({ line }, at) => [line, at]));
  return tasks.flatMap(({ text, acceptance, source }) => {
    const from = places.get(source.line) ?? 0;
    let to = from + 1;
    while (to < lines.length && (isBlank(lines[to]) || indentOf(lines[to]) > indentOf(lines[from]))) to++;
    const own = lines.slice(from, to);
    const hasState = own.some((each) => /^\s*[-*+] +(?:\[.\] |State:)/.test(each.text));
    const where = { file: path, line: source.line };
    const name = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
    return [
      ...(hasState
        ? []
        : [{ ...where, message: `task ${name} has no state`, next: 'give it a box: "- [ ] Task: …"' }]),
      ...(acceptance.length > 0
        ? []
        : [
            {
              ...where,
              message: `task ${name} has no acceptance criteria`,
              next: 'add "  - Acceptance: …" below it',
            },
          ]),
    ];
  });
};
