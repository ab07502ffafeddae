// Gives guardrails access to the disk, and loads the shell parser and the import reader only when rules need them.

import type { GuardContext } from '../../../hook/snapshot.io.ts';
import { type FailureSink, tryStepAsync } from '../../../platform/project/try-step.ts';
import { diskSight } from '../../../platform/real-paths.ts';
import { type GuardrailOptions, hasLayers } from '../../../settings/guardrail-options.ts';
import { ownPlaces } from '../../../settings/settings-paths.io.ts';
import type { FileSystemPort } from '../guard-call.ts';

/** @param isShell whether the call to judge is a shell command */
export async function buildGuardFs(
  hook: FailureSink & Pick<GuardContext, 'env'>,
  root: string,
  options: GuardrailOptions,
  isShell: boolean,
): Promise<FileSystemPort> {
  return {
    ...diskSight(root),
    own: ownPlaces(root, hook.env),
    commands: isShell
      ? await tryStepAsync(
          hook,
          'shell parser',
          async () => (await import('./parse-command.ts')).findCommandChanges,
        )
      : null,
    imports: hasLayers(options)
      ? await tryStepAsync(
          hook,
          'imports',
          async () => (await import('../imports/read-imports.ts')).readImports,
        )
      : null,
  };
}
