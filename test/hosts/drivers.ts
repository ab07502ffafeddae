// Finds the clients of the hosts, and installs them where need be.
import { NODE_22, otherNode } from '../kit/other-node.ts';
import { claudeCode, claudePlugin } from './claude-driver.ts';
import { driveCodex } from './codex-driver.ts';
import { driveCopilot } from './copilot-driver.ts';
import type { HostName } from './holds.ts';
import { driveOpencode } from './opencode-driver.ts';
import { drivePi, type PiWay } from './pi-driver.ts';
import type { HostDriver } from './scenario.ts';

// By address and not by name: the script is plain JavaScript and has no types to import.
const script = new URL('../../scripts/install-client.mjs', import.meta.url);

/** Clients that run what stands in Claude Code's files, or could: they are no hosts of ours. */
export type OtherClient = 'copilot' | 'droid' | 'cline';

/** The client's own program. */
export async function installProgram(
  name: Exclude<HostName, `claude-code${string}`> | OtherClient,
): Promise<string> {
  const { installHost }: { installHost(name: string): Promise<string> } = await import(script.href);
  return installHost(name);
}

/** @param ways by which Plimsoll comes to pi */
export async function installPi(ways?: readonly PiWay[]): Promise<HostDriver> {
  const found = otherNode(NODE_22);
  if ('fault' in found) throw new Error(`pi needs Node ${NODE_22}: ${found.fault}`);
  return drivePi({ node: found.node, cli: await installProgram('pi') }, ways);
}

export async function installDriver(name: HostName): Promise<HostDriver> {
  if (name === 'claude-code') return claudeCode;
  if (name === 'claude-code-inside') return claudePlugin;
  if (name === 'codex') return driveCodex(await installProgram(name));
  if (name === 'copilot') return driveCopilot(await installProgram(name));
  return name === 'pi' ? installPi() : driveOpencode(name, await installProgram(name));
}
