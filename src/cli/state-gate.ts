// How do quality gates begin, get scores, pass and fail in the state file?
import { enterGate, failGate, passGate, scoreGate } from '../model/state/gates.ts';
import type { Output } from './output.ts';
import type { Place } from './place.ts';
import { changeState, numberFrom, type StateOptions, tell, words } from './state-file.ts';

export interface ScoreOptions extends StateOptions {
  iteration?: string;
  dimension?: string;
}

export function gateEnter(place: Place, given: string, options: StateOptions, output: Output): void {
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
  place: Place,
  given: string,
  number: string,
  options: ScoreOptions,
  output: Output,
): void {
  const wanted = words(given, 'gate');
  const { iteration, dimension } = options;
  const score = {
    score: numberFrom(number, 'score', 0, 1),
    ...(iteration === undefined ? {} : { iteration: numberFrom(iteration, 'iteration', 1) }),
    ...(dimension === undefined ? {} : { dimension: words(dimension, 'dimension') }),
  };
  let done = { gate: wanted, iteration: 1, scores: [] as number[] };
  const change = changeState(place, options, (top) => {
    const { top: after, ...result } = scoreGate(top, wanted, score);
    done = result;
    return after;
  });
  tell(place, change, options, output, {
    line: `Gate ${done.gate}, iteration ${done.iteration}: ${score.score} (scores ${done.scores.join(', ')}); plimsoll state gate pass ${done.gate}, or fail`,
    data: { ...done, score: score.score },
  });
}

export function gatePass(place: Place, given: string, options: StateOptions, output: Output): void {
  const wanted = words(given, 'gate');
  let done: { gate: string; score: number | null } = { gate: wanted, score: null };
  const change = changeState(place, options, (top) => {
    const { top: after, gate, score } = passGate(top, wanted);
    done = { gate, score };
    return after;
  });
  tell(place, change, options, output, {
    line: `Gate ${done.gate} is passed${done.score === null ? '; no score of it is noted' : ` with ${done.score}`}`,
    data: done,
  });
}

export function gateFail(place: Place, given: string, options: StateOptions, output: Output): void {
  const wanted = words(given, 'gate');
  let done = { gate: wanted, iteration: 1 };
  const change = changeState(place, options, (top) => {
    const { top: after, gate, iteration } = failGate(top, wanted);
    done = { gate, iteration };
    return after;
  });
  tell(place, change, options, output, {
    line: `Gate ${done.gate}, iteration ${done.iteration} did not pass: revision; plimsoll state gate enter ${done.gate} begins the next iteration`,
    data: done,
  });
}
