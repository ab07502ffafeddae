// The verbs of `plimsoll state` that change the resumption section, as one table.

import { formatCount, stripControls } from '../../../cli/output.io.ts';
import { quoteShellWord } from '../../../text/escape.ts';
import type { DataMap } from '../../../text/json.ts';
import { addFile, noteAgentDone, removeFile } from '../state/agent-entries.ts';
import { addDecision, applyDecision } from '../state/decisions.ts';
import { addDefect, addPattern, resolveDefect } from '../state/defects.ts';
import {
  changePhase,
  changeStatus,
  listOpenBefore,
  listOtherPhases,
  noteCheckpoint,
  recover,
} from '../state/recovery.ts';
import { readRecoveryField, readSection } from '../state/section.ts';
import {
  agent,
  defect,
  iteration,
  nextStep,
  number,
  phase,
  status,
  summary,
  text,
  type Verb,
  verb,
} from './verb.io.ts';

/** A change of the recovery state, with the fields that it may have changed. */
function recovered(top: DataMap, line: (field: (name: string) => unknown) => string) {
  const section = readSection(top);
  const field = (name: string): unknown => readRecoveryField(section, name) ?? null;
  const names = ['current_phase', 'current_phase_name', 'workflow_status', 'current_activity', 'next_step'];
  return { top, line: line(field), data: Object.fromEntries(names.map((name) => [name, field(name)])) };
}

/** Asks about phases before the one that begins: nobody has said that they are done. */
const askAbout = (phase: string | number, open: readonly (string | number)[]): string =>
  `\n  ${open.length === 1 ? `Phase ${open[0]} before it is` : `Phases ${open.join(', ')} before it are`} not done in the file. If done: plimsoll state phase ${quoteShellWord(String(phase))} ${open.map((each) => `--done ${quoteShellWord(String(each))}`).join(' ')}`;

const others = (ids: readonly (string | number)[]): string =>
  ids.length === 0 ? '' : `\n  The file names no such phase, but ${ids.join(', ')}.`;

export const RECOVERY_VERBS: readonly Verb[] = [
  verb({
    call: 'phase <n>',
    help: 'a phase begins',
    examples: [
      'phase 3 --name "Source file headers"',
      'phase 4 --activity phase-4-agent-execution --next "Run the verifier"',
    ],
    notes:
      'Without --name the name is taken from the phases of the file, where it is there once. Where its phases have a status,\nthe one that was current is done and this one under way.',
    args: { phase },
    options: {
      name: ['--name <name>', 'name of the phase', text],
      activity: ['--activity <text>', 'what is done now', text],
      next: ['--next <text>', 'what comes next', nextStep],
      done: ['--done <n>', 'a phase that is done; may be given several times', phase, true],
    },
    change: (before, values) => {
      const top = changePhase(before, values);
      const open = listOpenBefore(top, values.phase);
      return recovered(top, (field) => {
        const name = field('current_phase_name');
        const named = name === null ? '; --name NAME gives it a name' : ` (${name})`;
        return `Phase ${field('current_phase')}${named}${others(listOtherPhases(before, values.phase))}${open.length === 0 ? '' : askAbout(values.phase, open)}`;
      });
    },
  }),
  verb({
    call: 'activity <text>',
    help: 'what is done now',
    examples: ['activity phase-3-agent-execution', 'activity compaction-recovery'],
    notes:
      'Usual: phase-N-agent-execution, GATE-iteration-M, GATE-iteration-M-revision, compaction-recovery, idle.',
    args: { activity: text },
    change: (top, { activity }) =>
      recovered(recover(top, { current_activity: activity }), () => `Activity: ${activity}`),
  }),
  verb({
    call: 'status <word>',
    help: 'status of the workflow: ACTIVE, PAUSED, COMPLETE or FAILED',
    examples: ['status PAUSED'],
    args: { status },
    change: (top, values) =>
      recovered(changeStatus(top, values.status), () => `Workflow status: ${values.status}`),
  }),
  verb({
    call: 'next <text>',
    help: 'the next step, for whoever goes on',
    examples: ['next "Execute header-applicator for EN-932"'],
    args: { next: nextStep },
    change: (top, { next }) => recovered(recover(top, { next_step: next }), () => `Next step: ${next}`),
  }),
  verb({
    call: 'checkpoint [id]',
    help: 'a checkpoint of the workflow: what is done up to here',
    examples: ['checkpoint --about "Phase 1 complete, qg-1 passed with 0.941"', 'checkpoint CP-004'],
    notes:
      'Without an id it is the next CP-NNN. Where the file lists checkpoints, it is listed there as well.',
    args: { id: text },
    options: {
      about: ['--about <text>', 'what is done; the phase that it is in unless given', summary],
    },
    change: (before, { id: given, about }, { at }) => {
      const section = readSection(before);
      const [number, name] = ['current_phase', 'current_phase_name'].map(
        (field) => readRecoveryField(section, field) ?? null,
      );
      const place = `Phase ${number ?? 'unknown'}${name === null ? '' : ` (${name})`}`;
      const said = about ?? place;
      const { top, id } = noteCheckpoint(before, { id: given, about: said, at });
      return { top, line: `Checkpoint ${id} of the workflow: ${said}`, data: { id, about: said } };
    },
  }),
];

export const ENTRY_VERBS: readonly Verb[] = [
  verb({
    call: 'decision add <text>',
    help: 'note a decision that affects later phases; it gets the next id',
    examples: [
      'decision add "Align the copyright holder" --phase 3 --rationale "NOTICE is authoritative"',
      'decision add "Defer the README fix" --gate qg-2',
    ],
    notes:
      'While a gate is in progress, the decision is noted with it. The same words again are no second decision.',
    args: { decision: text },
    options: {
      phase: ['--phase <n>', 'a phase that it affects; may be given several times', phase, true],
      gate: ['--gate <gate>', 'the gate at which it was made', text],
      iteration: ['--iteration <n>', "the gate's iteration", iteration],
      rationale: ['--rationale <text>', 'why', text],
      applied: ['--applied', 'it is carried out already'],
    },
    change: (before, { phase: phases = [], ...made }, { at }) => {
      const { top, id, isNew } = addDecision(before, { ...made, at, phases });
      const next = `; plimsoll state decision apply ${quoteShellWord(id)} when it is carried out`;
      return {
        top,
        line: (changed) =>
          isNew
            ? `Decision ${id} noted${made.applied ? '' : next}`
            : `Decision ${id} says this already${changed ? '; what is new is added' : ''}`,
        data: { id, is_new: isNew },
      };
    },
  }),
  verb({
    call: 'decision apply <id>',
    help: 'a decision is carried out',
    examples: ['decision apply RD-002', 'decision apply 2'],
    args: { id: (given) => given },
    change: (before, values) => {
      const { top, decision: found } = applyDecision(before, values.id);
      const { id, decision } = found;
      return {
        top,
        line: `Decision ${id} is applied: ${stripControls(decision)}`,
        data: { id, decision, applied: true },
      };
    },
  }),
  verb({
    call: 'defect add <id> [text]',
    help: 'a defect is open',
    examples: ['defect add DA-001', 'defect add DA-001 "copyright holders differ"'],
    notes: 'The id goes to the open defects; the words become the primary defect of the last gate.',
    args: { id: defect, text },
    change: (before, { id, text: said }) => {
      const { top, isNew } = addDefect(before, id, said ?? null);
      const line = isNew ? `Defect ${id} is open` : `Defect ${id} was open already`;
      return { top, line, data: { id, is_new: isNew } };
    },
  }),
  verb({
    call: 'defect resolve <id>',
    help: 'a defect is done',
    examples: ['defect resolve DA-001'],
    args: { id: defect },
    change: (before, { id }) => {
      const { top, left } = resolveDefect(before, id);
      const open = `${formatCount(left.length, 'is open', 'are open')}: ${left.join(', ')}`;
      return {
        top,
        line: `Defect ${id} is resolved; ${left.length === 0 ? 'none is open' : open}`,
        data: { id, open: left },
      };
    },
  }),
  verb({
    call: 'defect pattern <text>',
    help: 'a pattern that came up again, so that it is not made anew',
    examples: ['defect pattern "Missing source URLs" --gate qg-1 --gate qg-2 --resolution "Added them"'],
    args: { pattern: text },
    options: {
      gate: ['--gate <gate>', 'a gate at which it was seen; may be given several times', text, true],
      resolution: ['--resolution <text>', 'what was done about it', text],
    },
    change: (before, { pattern, gate: gates = [], resolution }) => {
      const { top, isNew } = addPattern(before, { pattern, gates, resolution });
      const line = isNew ? 'Pattern noted' : 'Pattern brought up to date';
      return { top, line, data: { pattern, is_new: isNew } };
    },
  }),
  verb({
    call: 'agent done <name> <summary>',
    help: 'an agent is done; one line says what it did',
    examples: ['agent done audit-executor "PASS. All 25 dependencies are compatible."'],
    args: { name: agent, summary },
    change: (top, { name, summary: said }) => ({
      top: noteAgentDone(top, name, said),
      line: `Agent ${name}: ${said}`,
      data: { agent: name, summary: said },
    }),
  }),
  verb({
    call: 'file add <path>',
    help: 'a file that the next one reads; what is said of a listed one is changed',
    examples: ['file add docs/plan.md --priority 2 --section phase-3 --purpose "Strategic context"'],
    args: { path: text },
    options: {
      section: ['--section <name>', 'a section to read; may be given several times', text, true],
      priority: ['--priority <n>', 'place in the order of reading, 1 first', number(1)],
      purpose: ['--purpose <text>', 'what it is read for', text],
    },
    change: (before, { path, section: sections = [], priority, purpose }, { isFile }) => {
      const { top, isNew } = addFile(before, { path, sections, priority, purpose });
      const exists = isFile(path);
      return {
        top,
        line: `${isNew ? 'To read' : 'Listed already'}: ${path}${exists ? '' : ' (there is no such file yet)'}`,
        data: { path, is_new: isNew, exists },
      };
    },
  }),
  verb({
    call: 'file remove <path>',
    help: 'a file that need not be read any more',
    examples: ['file remove docs/plan.md'],
    args: { path: text },
    change: (top, { path }) => ({
      top: removeFile(top, path),
      line: `No longer to read: ${path}`,
      data: { path },
    }),
  }),
];
