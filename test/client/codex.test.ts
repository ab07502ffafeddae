// Tests the real Codex, offline, by the scenario of all hosts.
import { installDriver } from '../hosts/drivers.ts';
import { describeHost } from '../hosts/scenario.ts';

describeHost('codex', () => installDriver('codex'));
