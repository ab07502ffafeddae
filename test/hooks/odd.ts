// Holds hooks against something odd on disk, at any moment: exit 0 in time, at most one answer of the allowed form,
// nothing but ours on disk, and a line in the failure log where something is at fault.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { notRun } from '../kit/not-run.ts';
import {
  call,
  expectAllowed,
  failuresOf,
  fallbackOf,
  measured,
  type Odd,
  othersOf,
  PROMPT,
  withMoments,
} from './calls.ts';
import { type Host, SESSION } from './host.ts';

interface Case {
  name: string;
  /** Makes it odd; what comes back is odd about the call. */
  make: (host: Host) => Odd | undefined;
  /** Whether the failure log gets a line; undefined where that is up to the moment. */
  isFault: boolean | undefined;
  /** Whether the usage is still told at a prompt. */
  speaks: boolean;
  /** Whether the state goes to the user's files, as if they were the project's. */
  isKeptWithUser?: boolean;
  /** Why this cannot be made here, or null. */
  missing?: () => string | null;
}

/** One test for every case and each of its moments. */
export function hold(cases: Case[]): void {
  describe.each(withMoments(cases))(
    '$name',
    ({ make, isFault, speaks, isKeptWithUser, missing, moments }) => {
      test.each(moments)('$name', (moment) => {
        const reason = missing?.() ?? null;
        if (reason !== null) return notRun('hooks on a read-only mount', reason);
        const host = measured();
        const odd = make(host);
        const before = othersOf(host);
        const result = call(host, moment, odd);
        expectAllowed(moment, result);
        if (moment === PROMPT && speaks) expect(result.context).toContain('CONTEXT STATUS: NOMINAL');
        if (moment === PROMPT && !speaks) expect(result.context).toBe('');
        if (moment.fields.source === 'compact') expect(result.context).toContain('<compaction-alert>');
        expect(othersOf(host)).toEqual(before);
        // The end of a subagent leaves nothing to keep.
        if (moment.event !== 'SubagentStop')
          expect(existsSync(`${fallbackOf(host)}/sessions/${SESSION}/state.json`)).toBe(
            isKeptWithUser ?? false,
          );
        if (isFault === false) expect(failuresOf(host)).toEqual([]);
        // The end of a subagent looks at neither the transcript nor anything else, unless a project asks for it.
        if (isFault === true && moment.event !== 'SubagentStop') expect(failuresOf(host)).not.toEqual([]);
        for (const each of failuresOf(host)) expect(each.hook).toBe(moment.event);
      });
    },
  );
}

export const replaced = (target: string, by: (target: string) => void): undefined => {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(path.dirname(target), { recursive: true });
  by(target);
};
export const byFile = (target: string): void => writeFileSync(target, 'x');
export const byFolder = (target: string): void => void mkdirSync(target);
export const byFifo = (target: string): void => {
  expect(spawnSync('mkfifo', [target]).status).toBe(0);
};
export const byLoop = (target: string): void => symlinkSync(target, target);
export const byNowhere = (target: string): void => symlinkSync('/nowhere/at/all', target);

export const state = (name: string, by: (target: string) => void) => (host: Host) =>
  replaced(host.state(name), by);
