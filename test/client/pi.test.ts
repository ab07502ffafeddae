// Tests the real pi, offline, by the scenario of all hosts.
import { drivePi } from '../hosts/pi-driver.ts';
import { describeHost } from '../hosts/scenario.ts';
import { NODE_22, otherNode } from '../kit/other-node.ts';

// By address and not by name: the script is plain JavaScript and has no types to import.
const script = new URL('../../scripts/install-client.mjs', import.meta.url);

describeHost('pi', async () => {
  const { installHost }: { installHost(name: string): Promise<string> } = await import(script.href);
  const found = otherNode(NODE_22);
  if ('fault' in found) throw new Error(`pi needs Node ${NODE_22}: ${found.fault}`);
  return drivePi({ node: found.node, cli: await installHost('pi') });
});
