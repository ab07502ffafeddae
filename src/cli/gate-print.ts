// Prints the result of a gate.
import type { GateResult } from '../model/tracks/gate.ts';
import { type Output, printable, toJson } from './output.ts';

/** Prints a result; returns false when the gate failed. */
export function printGate(result: GateResult, isJson: boolean | undefined, output: Output): boolean {
  const { gate, state, checks, notes } = result;
  if (isJson) output.print(toJson(result));
  else
    output.print(
      printable(
        [
          `${gate}: ${state}`,
          ...checks.map(({ says, holds, found }) =>
            holds ? `  ok    ${says}` : `  NOT   ${says}${found === undefined ? '' : `: ${found}`}`,
          ),
          ...notes.map((note) => `  ${note}`),
        ].join('\n'),
      ),
    );
  return state !== 'failed';
}
