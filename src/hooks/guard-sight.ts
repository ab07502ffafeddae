// Gives guardrails access to the disk, and loads the shell parser and the import reader only when rules need them.
import { ownPlaces } from '../config/paths.ts';
import type { Sight } from '../model/guardrails/call.ts';
import { type GuardrailOptions, hasLayers } from '../model/guardrails/options.ts';
import { type FailureSink, tryStepAsync } from '../model/try-step.ts';
import { diskSight } from '../store/real-paths.ts';
import type { GuardContext } from './snapshot.ts';

/** @param isShell whether the call to judge is a shell command */
export async function guardSight(
  hook: FailureSink & Pick<GuardContext, 'env'>,
  root: string,
  options: GuardrailOptions,
  isShell: boolean,
): Promise<Sight> {
  return {
    ...diskSight(root),
    own: ownPlaces(root, hook.env),
    commands: isShell
      ? await tryStepAsync(
          hook,
          'shell parser',
          async () => (await import('../store/command-changes.ts')).changesOfCommand,
        )
      : null,
    imports: hasLayers(options)
      ? await tryStepAsync(
          hook,
          'imports',
          async () => (await import('../model/guardrails/imports/read-imports.ts')).importsOf,
        )
      : null,
  };
}
