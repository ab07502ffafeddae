// Runs `plimsoll state gate …`: begins iterations of quality gates in the state file, scores, passes and fails them.

import type { Output } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { logToSession } from '../../../sessions/commands/find-work-session.io.ts';
import { redactOneLine } from '../../../sessions/log-event.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { enterGate, failGate, passGate, scoreGate } from '../state/gates.ts';
import {
  changeState,
  iterationFrom,
  numberFrom,
  type StateChange,
  type StateOptions,
  tell,
  words,
} from './find-state.io.ts';

export interface ScoreOptions extends StateOptions {
  iteration?: string;
  dimension?: string;
}

interface Result {
  gate: string;
  iteration: number | null;
  score: number | null;
}

/** Logs a gate's result in the session that worked on it. */
function note(
  place: ProjectContext,
  change: StateChange,
  verdict: 'scored' | 'passed' | 'failed',
  result: Result,
  output: Output,
): void {
  if (!change.changed) return;
  const { gate, iteration, score } = result;
  const event = { type: 'GateScored', gate: redactOneLine(gate), iteration, score, verdict } as const;
  logToSession(place, (conversation) => ({ ...event, conversation }), output);
}

export function gateEnter(place: ProjectContext, given: string, options: StateOptions, output: Output): void {
  const wanted = words(given, 'gate');
  let done = { gate: wanted, iteration: 1 };
  const change = changeState(place, options, (top) => {
    const { top: after, gate, iteration } = enterGate(top, wanted);
    done = { gate, iteration };
    return after;
  });
  tell(place, change, options, output, {
    line: `Gate ${done.gate}, iteration ${done.iteration} begins`,
    data: done,
  });
}

export function gateScore(
  place: ProjectContext,
  given: string,
  number: string,
  options: ScoreOptions,
  output: Output,
): void {
  const wanted = words(given, 'gate');
  const { iteration, dimension } = options;
  const score = {
    score: numberFrom(number, 'score', 0, 1),
    ...(iteration === undefined ? {} : { iteration: iterationFrom(iteration) }),
    ...(dimension === undefined ? {} : { dimension: words(dimension, 'dimension') }),
  };
  let done = { gate: wanted, iteration: 1, scores: [] as number[] };
  const change = changeState(place, options, (top) => {
    const { top: after, ...result } = scoreGate(top, wanted, score);
    done = result;
    return after;
  });
  tell(place, change, options, output, {
    line: `Gate ${done.gate}, iteration ${done.iteration}: ${score.score} (scores ${done.scores.join(', ')}); plimsoll state gate pass ${shellWord(done.gate)}, or fail`,
    data: { ...done, score: score.score },
  });
  note(place, change, 'scored', { ...done, score: score.score }, output);
}

export function gatePass(place: ProjectContext, given: string, options: StateOptions, output: Output): void {
  const wanted = words(given, 'gate');
  let done: Result = { gate: wanted, iteration: null, score: null };
  const change = changeState(place, options, (top) => {
    const { top: after, ...result } = passGate(top, wanted);
    done = result;
    return after;
  });
  tell(place, change, options, output, {
    line: `Gate ${done.gate} is passed${done.score === null ? '; no score of it is noted' : ` with ${done.score}`}`,
    data: { gate: done.gate, score: done.score },
  });
  note(place, change, 'passed', done, output);
}

export function gateFail(place: ProjectContext, given: string, options: StateOptions, output: Output): void {
  const wanted = words(given, 'gate');
  let done: Result = { gate: wanted, iteration: 1, score: null };
  const change = changeState(place, options, (top) => {
    const { top: after, ...result } = failGate(top, wanted);
    done = result;
    return after;
  });
  const { gate, iteration, score } = done;
  const next =
    score === null
      ? `; no score of it is noted: plimsoll state gate score ${shellWord(gate)} SCORE --iteration ${iteration}`
      : `; plimsoll state gate enter ${shellWord(gate)} begins the next iteration`;
  tell(place, change, options, output, {
    line: `Gate ${gate}, iteration ${iteration} did not pass: revision${next}`,
    data: { gate, iteration, score },
  });
  note(place, change, 'failed', done, output);
}
