// Gives guardrails access to the disk, and loads the shell parser and the import reader only when rules need them.
import { ownPlaces } from '../config/paths.ts';
import { attemptAsync, type Failing } from '../model/attempt.ts';
import type { Sight } from '../model/guardrails/call.ts';
import { type GuardrailOptions, hasLayers } from '../model/guardrails/options.ts';
import { diskSight } from '../store/real-paths.ts';
import type { GuardCall } from './look.ts';

/** @param isShell whether the call to judge is a shell command */
export async function guardSight(
  call: Failing & Pick<GuardCall, 'env'>,
  root: string,
  options: GuardrailOptions,
  isShell: boolean,
): Promise<Sight> {
  return {
    ...diskSight(root),
    own: ownPlaces(root, call.env),
    commands: isShell
      ? await attemptAsync(
          call,
          'shell parser',
          async () => (await import('../store/command-changes.ts')).changesOfCommand,
        )
      : null,
    imports: hasLayers(options)
      ? await attemptAsync(
          call,
          'imports',
          async () => (await import('../model/guardrails/imports/read-imports.ts')).importsOf,
        )
      : null,
  };
}
