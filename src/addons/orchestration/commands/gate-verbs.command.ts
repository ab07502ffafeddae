// The verbs of `plimsoll state gate …`: what is planned, and what an iteration came to.

import { formatCount } from '../../../cli/output.io.ts';
import { quoteShellWord } from '../../../text/escape.ts';
import { enterGate, failGate, passGate, planGate, readBudget, scoreGate, setBudget } from '../state/gates.ts';
import { iteration, number, text, type Verb, verb } from './verb.io.ts';

export const GATE_VERBS: readonly Verb[] = [
  verb({
    call: 'gate plan <gate>',
    help: 'a gate is to come',
    examples: ['gate plan qg-3', 'gate plan qg-final --iterations 3'],
    args: { gate: text },
    options: { iterations: ['--iterations <n>', 'how many it may take; they add to the budget', iteration] },
    change: (before, { gate: given, iterations }) => {
      const { top, gate, isNew } = planGate(before, given, iterations);
      const { budget } = readBudget(top);
      const left = budget === null ? '' : `; budget ${formatCount(budget, 'iteration')}`;
      const unchanged =
        iterations === undefined ? '' : ', and its iterations stay: plimsoll state gate budget N';
      const line = isNew ? `Gate ${gate} is to come${left}` : `Gate ${gate} is known already${unchanged}`;
      return { top, line, data: { gate, is_new: isNew, budget } };
    },
  }),
  verb({
    call: 'gate budget <n>',
    help: 'how many iterations all gates may take together',
    examples: ['gate budget 12'],
    args: { budget: iteration },
    change: (before, { budget }) => {
      const top = setBudget(before, budget);
      const { used } = readBudget(top);
      return { top, line: `${used} of ${formatCount(budget, 'iteration')} used`, data: { budget, used } };
    },
  }),
  verb({
    call: 'gate enter <gate>',
    help: 'the next iteration of a gate begins',
    examples: ['gate enter qg-2'],
    args: { gate: text },
    change: (before, values) => {
      const { top, ...data } = enterGate(before, values.gate);
      const { used, budget } = readBudget(top);
      const over = used < (budget ?? 0) ? '' : '; plimsoll state gate budget N raises it';
      const left = budget === null ? '' : ` (${used} of ${formatCount(budget, 'iteration')} used${over})`;
      return { top, line: `Gate ${data.gate}, iteration ${data.iteration} begins${left}`, data };
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
        line: `Gate ${gate} is passed${score === null ? '; no score of it is noted' : ` with ${score}`}; plimsoll state checkpoint notes what is done up to here`,
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
];
