// Computes the guardrails' verdict on a tool call, exactly as the hook does.

import type { ProjectContext } from '../../../cli/project.io.ts';
import { asWrite } from '../../../hosts/claude-code/tools/kinds.ts';
import type { Verdict } from '../../../hosts/verdict.ts';
import { isFolderCommitted } from '../../../platform/git/git-state.ts';
import { type Env, findHome } from '../../../platform/project/paths.ts';
import { createDiskPort } from '../../../platform/real-paths.ts';
import type { Mode } from '../../../settings/guardrail-options.ts';
import { ownPlaces } from '../../../settings/layers.io.ts';
import { readGuardrailOptions } from '../../../settings/read-guardrails.ts';
import type { Settings } from '../../../settings/settings.ts';
import { findGate } from '../../addon.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import { findCommandChanges } from '../hook/parse-command.ts';
import { readImports } from '../imports/read-imports.ts';
import { checkGuardedCall } from '../judge.ts';

/** The verdict on a call in a project, under the given mode of `guardrails.mode`. */
export async function computeVerdict(
  place: ProjectContext,
  call: Pick<GuardedCall, 'tool' | 'input'>,
  mode: Mode,
): Promise<Verdict> {
  const root = place.root ?? place.cwd;
  const { env, paths, resolved } = place;
  // As the hook asks in the session in whose shell this runs.
  const session = { root, env, paths, session: env.HOST_SESSION ?? null };
  const sight: FileSystemPort = {
    ...createDiskPort(root),
    own: ownPlaces(place.root, place.env),
    isCommitted: (path) => isFolderCommitted(path, env),
    commands: findCommandChanges,
    imports: readImports,
    evaluation: await findGate(session, resolved),
  };
  const options = { ...readGuardrailOptions(place.resolved.settings), mode };
  return checkGuardedCall({ ...call, cwd: place.cwd, root, home: findHome(place.env) }, options, sight);
}

/** Formats the trace, one line for each place that a rule looked at. */
export const formatTrace = ({ trace }: Verdict): string[] =>
  trace.map(({ rule, at, saw, decision }) => `  ${rule.padEnd(12)}  ${decision.padEnd(7)}  ${at}: ${saw}`);

/** Whether the rules, when they are enforced, forbid to write a file of a project. */
export function forbidsWrite(file: string, root: string, settings: Settings, env: Env): boolean {
  const call = { ...asWrite(`${root}/${file}`, 'x'), cwd: root, root, home: findHome(env) };
  const sight = { ...createDiskPort(root), commands: null, imports: null };
  return (
    checkGuardedCall(call, { ...readGuardrailOptions(settings), mode: 'enforce' }, sight).decision === 'deny'
  );
}
