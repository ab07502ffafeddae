// What an add-on registers: its commands, what it adds to `plimsoll init`, and its checks of files.
import type { Command } from 'commander';
import type { Check } from '../cli/check-port.io.ts';
import type { CliContext } from '../cli/context.ts';

/** A part of the product that can be deleted: its folder, and its one line in registry.ts. */
export interface Addon {
  /** Adds the add-on's commands to the command line. */
  addCommands?: (root: Command, cli: CliContext) => void;
  /** Loads what `plimsoll check` asks of files. */
  loadChecks?: () => Promise<readonly Check[]>;
}

/** The checks of all these add-ons, in their order. */
export async function loadAllChecks(addons: readonly Addon[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { loadChecks } of addons) checks.push(...((await loadChecks?.()) ?? []));
  return checks;
}
