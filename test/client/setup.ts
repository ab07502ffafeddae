// Installs the clients that the tests of this project run against.
import type { TestProject } from 'vitest/node';

/** A client that stores nothing of what hooks inject, and knows neither PostToolBatch nor CLAUDE_PID. */
const OLD_CLIENT_VERSION = '2.0.76';
/** The last line of clients without modules; it knows no PostToolBatch either. */
const BEFORE_MODULES_VERSION = '2.1.112';
// By address and not by name: the script is plain JavaScript and has no types to import.
const script = new URL('../../scripts/install-client.mjs', import.meta.url);

export async function setup(project: TestProject): Promise<void> {
  const { installClient }: { installClient(version?: string): Promise<string> } = await import(script.href);
  try {
    project.provide('clientPath', await installClient());
  } catch (error) {
    // The tests on the client fail with these words; all others still run.
    project.provide('clientPath', '');
    project.provide('clientFault', error instanceof Error ? error.message : String(error));
  }
  const olds = { oldClientPath: OLD_CLIENT_VERSION, beforeModulesPath: BEFORE_MODULES_VERSION } as const;
  for (const name of ['oldClientPath', 'beforeModulesPath'] as const) {
    try {
      project.provide(name, await installClient(olds[name]));
    } catch {
      // The tests that want it say that they were not run.
      project.provide(name, '');
    }
  }
}
