// The verbs of `plimsoll state` that change the resumption section, as one table.

import { formatCount, stripControls } from '../../../cli/output.io.ts';
import { quoteShellWord } from '../../../text/escape.ts';
import type { DataMap } from '../../../text/json.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { addFile, noteAgentDone, removeFile } from '../state/agent-entries.ts';
import { addDecision, applyDecision } from '../state/decisions.ts';
import { addDefect, addPattern, resolveDefect } from '../state/defects.ts';
import { enterGate, failGate, passGate, scoreGate } from '../state/gates.ts';
import { changePhase, changeStatus, parseStatus, recover, STATUSES } from '../state/recovery.ts';
import { readRecoveryField, readSection } from '../state/section.ts';
import { iteration, number, phase, text, type Verb, verb } from './verb.io.ts';

/** The id of a defect is one word: the list of open defects holds ids only. */
function defect(given: string): string {
  const id = text(given, 'id');
  if (!/\s/.test(id)) return id;
  throw new PlimsollError('usage', `"${id}" is no id of a defect`, {
    hint: 'the id first, then the words: plimsoll state defect add DA-001 "names differ"',
  });
}

function agent(given: string, what: string): string {
  const name = text(given, what);
  if (name !== '__proto__') return name;
  throw new PlimsollError('usage', `"${name}" is no name of an agent`, { hint: 'take another' });
}

/** A summary is kept on one line: it is shown in a list of others. */
const summary = (given: string, what: string): string => text(given, what).replace(/\s+/g, ' ');
const nextStep = (given: string): string => text(given, 'next step');

function status(given: string): string {
  const found = parseStatus(given);
  if (found !== null) return found;
  throw new PlimsollError('usage', `"${given}" is no status of a workflow`, {
    hint: `one of ${STATUSES.join(', ')}`,
  });
}

/** A change of the recovery state, with the fields that it may have changed. */
function recovered(top: DataMap, line: (field: (name: string) => unknown) => string) {
  const section = readSection(top);
  const field = (name: string): unknown => readRecoveryField(section, name) ?? null;
  const names = ['current_phase', 'current_phase_name', 'workflow_status', 'current_activity', 'next_step'];
  return { top, line: line(field), data: Object.fromEntries(names.map((name) => [name, field(name)])) };
}

export const RECOVERY_VERBS: readonly Verb[] = [
  verb({
    call: 'phase <n>',
    help: 'a phase begins',
    examples: [
      'phase 3 --name "Source file headers"',
      'phase 4 --activity phase-4-agent-execution --next "Run the verifier"',
    ],
    notes: 'Without --name the name is taken from the phases of the file, where it is there once.',
    args: { phase },
    options: {
      name: ['--name <name>', 'name of the phase', text],
      activity: ['--activity <text>', 'what is done now', text],
      next: ['--next <text>', 'what comes next', nextStep],
    },
    change: (top, values) =>
      recovered(changePhase(top, values), (field) => {
        const name = field('current_phase_name');
        return `Phase ${field('current_phase')}${name === null ? '; --name NAME gives it a name' : ` (${name})`}`;
      }),
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
    call: 'gate enter <gate>',
    help: 'the next iteration of a gate begins',
    examples: ['gate enter qg-2'],
    args: { gate: text },
    change: (before, values) => {
      const { top, ...data } = enterGate(before, values.gate);
      return { top, line: `Gate ${data.gate}, iteration ${data.iteration} begins`, data };
    },
  }),
  verb({
    call: 'gate score <gate> <score>',
    help: 'the score of an iteration, from 0 to 1',
    examples: ['gate score qg-2 0.916 --dimension evidence_quality', 'gate score qg-2 0.92 --iteration 2'],
    notes: 'Without --iteration it is the next one; an iteration that has a score already gets the new one.',
    args: { gate: text, score: number(0, 1) },
    options: {
      iteration: ['--iteration <n>', 'the iteration that was scored', iteration],
      dimension: ['--dimension <name>', 'the weakest dimension', text],
    },
    change: (before, { gate: given, ...values }) => {
      const { top, gate, iteration: at, scores } = scoreGate(before, given, values);
      const { score } = values;
      return {
        top,
        line: `Gate ${gate}, iteration ${at}: ${score} (scores ${scores.join(', ')}); plimsoll state gate pass ${quoteShellWord(gate)}, or fail`,
        data: { gate, iteration: at, scores, score },
        gate: { gate, iteration: at, score, verdict: 'scored' },
      };
    },
  }),
  verb({
    call: 'gate pass <gate>',
    help: 'a gate is passed',
    examples: ['gate pass qg-2'],
    args: { gate: text },
    change: (before, values) => {
      const { top, gate, score, iteration: at } = passGate(before, values.gate);
      return {
        top,
        line: `Gate ${gate} is passed${score === null ? '; no score of it is noted' : ` with ${score}`}`,
        data: { gate, score },
        gate: { gate, iteration: at, score, verdict: 'passed' },
      };
    },
  }),
  verb({
    call: 'gate fail <gate>',
    help: 'an iteration did not pass: its revision begins',
    examples: ['gate fail qg-2'],
    args: { gate: text },
    change: (before, values) => {
      const { top, ...data } = failGate(before, values.gate);
      const { gate, iteration: at, score } = data;
      const next =
        score === null
          ? `; no score of it is noted: plimsoll state gate score ${quoteShellWord(gate)} SCORE --iteration ${at}`
          : `; plimsoll state gate enter ${quoteShellWord(gate)} begins the next iteration`;
      return {
        top,
        line: `Gate ${gate}, iteration ${at} did not pass: revision${next}`,
        data,
        gate: { ...data, verdict: 'failed' },
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
