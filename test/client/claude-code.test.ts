// Tests the real Claude Code, its hooks each a process, by the scenario of all hosts.
import { installDriver } from '../hosts/drivers.ts';
import { describeHost } from '../hosts/scenario.ts';

describeHost('claude-code', () => installDriver('claude-code'));
