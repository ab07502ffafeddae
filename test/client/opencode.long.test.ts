// Tests the real opencode, offline, by the scenario of all hosts.
import { installDriver } from '../hosts/drivers.ts';
import { describeHost } from '../hosts/scenario.ts';

describeHost('opencode', () => installDriver('opencode'));
