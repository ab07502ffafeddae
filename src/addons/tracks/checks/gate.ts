// The result of a track's gate: its checks, what was seen, and whether all of them held.

/** One thing that a gate looked at. */
export interface GateCheck {
  /** A sentence that is true when the check holds. */
  says: string;
  holds: boolean;
  /** What was seen instead, and the next step; only where it does not hold. */
  found?: string;
}

/**
 * `held`: seen to hold. `not run`: there is nothing here that the gate could try, and why; that is no fault.
 */
export interface GateResult {
  gate: string;
  state: 'held' | 'failed' | 'not run';
  checks: GateCheck[];
  /** What else is to be known. */
  notes: string[];
}

/** A gate has held when each of its checks has. */
export const gateResult = (gate: string, checks: GateCheck[], notes: string[] = []): GateResult => ({
  gate,
  state: checks.every(({ holds }) => holds) ? 'held' : 'failed',
  checks,
  notes,
});
