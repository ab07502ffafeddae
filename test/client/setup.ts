// Which client do the tests of this project run against?
import type { TestProject } from 'vitest/node';

/** A client that stores nothing of what hooks inject, and knows neither PostToolBatch nor CLAUDE_PID. */
const OLD_CLIENT_VERSION = '2.0.76';
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
  try {
    project.provide('oldClientPath', await installClient(OLD_CLIENT_VERSION));
  } catch {
    // The one test that wants it says that it was not run.
    project.provide('oldClientPath', '');
  }
}
