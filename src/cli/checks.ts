// Lists the checks of `plimsoll check`. Each gets the same files; a new check is a file in check/ and a line here.
import type { Check } from './check/check.ts';
import { gates } from './check/gates.ts';
import { guardrails } from './check/guardrails.ts';
import { rules } from './check/rules.ts';
import { settings } from './check/settings.ts';
import { staleness } from './check/staleness.ts';
import { state } from './check/state.ts';
import { tracks } from './check/tracks.ts';

export const CHECKS: readonly Check[] = [guardrails, settings, rules, state, staleness, tracks, gates];
