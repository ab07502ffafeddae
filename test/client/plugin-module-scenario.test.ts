// Tests the real Claude Code with the plugin alone, whose module answers inside it, by the scenario of all hosts.
import { installDriver } from '../hosts/drivers.ts';
import { describeHost } from '../hosts/scenario.ts';

describeHost('claude-code-inside', () => installDriver('claude-code-inside'));
