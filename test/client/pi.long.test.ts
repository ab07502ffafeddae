// Tests the real pi, offline, by the scenario of all hosts: with our package, and with the file of `init` beside it.
import { installPi } from '../hosts/drivers.ts';
import { describeHost } from '../hosts/scenario.ts';

describeHost('pi', () => installPi(['package']), 'pi, our package as one of its own');
describeHost('pi', () => installPi(['init', 'package']), 'pi, by both ways at once');
