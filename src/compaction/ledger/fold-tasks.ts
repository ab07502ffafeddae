// Computes the task list after a call that changed it; tasks of an earlier session stay until named again.
import type { EntryTask, ResultEntry, ToolAction } from '../../hosts/entry.ts';
import type { FactEvidence, LedgerTask } from './ledger.ts';

/** A whole list takes the place of the session's own tasks, and of earlier ones that it names. */
function setTasks(tasks: LedgerTask[], listed: readonly EntryTask[], evidence: FactEvidence): LedgerTask[] {
  const named = new Set(listed.map(({ subject }) => subject));
  const earlier = tasks.filter((task) => task.session !== evidence.session && !named.has(task.subject));
  return [
    ...earlier,
    ...listed.map((task) => {
      const before = tasks.find(({ subject }) => subject === task.subject);
      const isSame =
        before !== undefined && before.status === task.status && before.session === evidence.session;
      return { ...task, ...(isSame ? placeOf(before) : evidence) };
    }),
  ];
}

const placeOf = ({ session, segment, entry, offset, at }: FactEvidence): FactEvidence => ({
  session,
  segment,
  entry,
  offset,
  at,
});

/** The tasks after an action; `result` is what the host gave back, null for a list that it told by itself. */
export function changeTasks(
  tasks: LedgerTask[],
  action: ToolAction,
  result: ResultEntry | null,
  evidence: FactEvidence,
): LedgerTask[] {
  switch (action.type) {
    case 'set-tasks':
      return setTasks(tasks, action.tasks, evidence);
    case 'list-tasks':
      return result?.tasks == null ? tasks : setTasks(tasks, result.tasks, evidence);
    case 'add-task': {
      const id = result?.tasks?.[0]?.id ?? /#(\d+)/.exec(result?.output ?? '')?.[1] ?? null;
      const isOld = (task: LedgerTask): boolean =>
        task.session === evidence.session
          ? id !== null && task.id === id
          : task.subject === action.task.subject;
      const others = tasks.some(isOld) ? tasks.filter((task) => !isOld(task)) : tasks;
      const { subject, status, active } = action.task;
      return others.concat({ ...evidence, id, subject, status, active });
    }
    case 'change-task': {
      const isMeant = (task: LedgerTask): boolean =>
        task.id === action.id && task.session === evidence.session;
      if (action.isDeleted) return tasks.filter((task) => !isMeant(task));
      return tasks.map((task) => (isMeant(task) ? { ...task, ...action.change, ...evidence } : task));
    }
    default:
      return tasks;
  }
}
