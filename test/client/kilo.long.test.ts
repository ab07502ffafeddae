// Tests the real Kilo, offline, by the scenario of all hosts: it loads opencode's plugin.
import { installDriver } from '../hosts/drivers.ts';
import { describeHost } from '../hosts/scenario.ts';

describeHost('kilo', () => installDriver('kilo'));
