// Check "gates": with --all, the gates of the active track and the guardrails' hook hold.
import { dirname } from 'node:path';
import type { CheckFinding } from '../../../cli/check-finding.ts';
import type { Check, CheckContext } from '../../../cli/check-port.io.ts';
import { exists } from '../../../platform/look.ts';
import type { GateResult } from '../checks/gate.ts';
import { latestFile } from '../layout.ts';
import { gateDeterminism } from './gate-determinism.io.ts';
import { gateGuardrails } from './gate-guardrails.io.ts';
import { gateRecovery } from './gate-recovery.io.ts';
import { activeHere } from './name-track.io.ts';

const RULES = {
  determinism: 'A track is not compacted to the same bytes wherever it is done.',
  recovery: 'The plan of a track cannot be rebuilt from its checkpoint.',
  guardrails: 'The hook does not deny, or does not note, a write that the settings forbid.',
};

const findingsOf = ({ gate, state, checks }: GateResult): CheckFinding[] =>
  state !== 'failed'
    ? []
    : checks
        .filter(({ holds }) => !holds)
        .map(({ says, found }) => ({
          check: 'gates',
          rule: gate,
          level: 'error',
          file: null,
          line: null,
          message: `the gate "${gate}" does not hold: not seen that ${says}${found === undefined ? '' : `: ${found}`}`,
          next: 'plimsoll track verify shows it',
        }));

/** Runs the gates of a track; a track that was never compacted has no checkpoint to rebuild from, which is no error. */
async function ofTrack({ place, root, self }: CheckContext, track: string): Promise<GateResult[]> {
  const results = [gateDeterminism(place, track, self)];
  return exists(`${root}/${latestFile(track)}`) ? [...results, await gateRecovery(place, track)] : results;
}

export const gatesCheck: Check = {
  name: 'gates',
  rules: RULES,
  look: async (look) => {
    if (look.scope !== 'all') return [];
    const { settings } = look.place.resolved;
    const active = settings['tracks.enabled'] === 'off' ? null : activeHere(look.place).track;
    const results = active === null ? [] : await ofTrack(look, active);
    if (settings['guardrails.mode'] === 'enforce')
      results.push(await gateGuardrails(look.place, dirname(look.self)));
    return results.flatMap(findingsOf);
  },
};
