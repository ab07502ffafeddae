// Gate "guardrails": the real hook, with the project's settings in a temporary folder, denies and logs a forbidden write.

import type { ProjectContext } from '../../../cli/project.io.ts';
import { displayPath } from '../../../cli/project.io.ts';
import { hookBundle, trialEnvironment, tryWrite } from '../../../hosts/claude-code/replay/try-write.io.ts';
import { asWrite } from '../../../hosts/claude-code/tools/kinds.ts';
import type { Verdict } from '../../../hosts/verdict.ts';
import { type Env, homeOf } from '../../../platform/project/paths.ts';
import { findProject } from '../../../platform/project/root.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readTextOrNull, SETTINGS_FILE } from '../../../platform/read.ts';
import { diskSight } from '../../../platform/real-paths.ts';
import { replaceFile } from '../../../platform/write.ts';
import { listStreams, readEvents } from '../../../sessions/read-events.io.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { guardrailOptions } from '../../../settings/read-guardrails.ts';
import { checkGuardedCall } from '../../guardrails/judge.ts';
import { type GateCheck, type GateResult, gateResult } from '../checks/gate.ts';
import { inWorkspace, type Workspace } from '../files/temp-copy.io.ts';

const GATE = 'guardrails';
const SESSION = 'plimsoll-gate';

/** Files that some rule may forbid: one at the root, a source file, secrets, and one for each protected glob. */
const candidates = ({ paths }: GuardrailOptions): string[] => [
  'plimsoll-gate.txt',
  'src/plimsoll-gate.txt',
  ...paths.protected
    .filter((glob) => !/^[!~/]/.test(glob))
    .map((glob) =>
      glob
        .replace(/\/$/, '/gate')
        .replaceAll('**', 'gate')
        .replaceAll('*', 'gate')
        .replace(/[?[\]{}]/g, ''),
    ),
  '.env',
  '.git/config',
];

/** The verdict on writing a file, as if rules were enforced. */
function verdictOn(file: string, root: string, options: GuardrailOptions, env: Env): Verdict {
  const sight = { ...diskSight(root), commands: null, imports: null };
  return checkGuardedCall(
    { ...asWrite(`${root}/${file}`, 'x'), cwd: root, root, home: homeOf(env) },
    { ...options, mode: 'enforce' },
    sight,
  );
}

/** Runs the hook on a write of the file, and checks what it answered and logged. */
function checksFor(place: ProjectContext, workspace: Workspace, bundle: string, file: string): GateCheck[] {
  const { root } = workspace;
  const { answer, decision } = tryWrite(bundle, { session: SESSION, file, env: place.env }, workspace);
  const paths = findProject(root, trialEnvironment(place.env, root));
  const noted = listStreams(paths).flatMap((stream) =>
    readEvents(paths, stream).events.filter(({ type }) => type === 'GuardrailViolated'),
  );
  return [
    {
      says: `writing ${file} is denied by the hook`,
      holds: decision === 'deny',
      found: `it answered ${answer === '' ? 'nothing' : answer.slice(0, 200)}: run plimsoll doctor`,
    },
    {
      says: 'the violation stands among the events of the session',
      holds: noted.length === 1,
      found: `${noted.length} events instead of one: run plimsoll doctor`,
    },
  ];
}

/**
 * Runs the installed hook on a write that the project's settings forbid, in a temporary folder with these settings.
 *
 * @param dist folder of the command, whose hook is used where none is installed
 */
export async function gateGuardrails(place: ProjectContext, dist: string): Promise<GateResult> {
  const options = guardrailOptions(place.resolved.settings);
  const notRun = (...notes: string[]): GateResult => ({ gate: GATE, state: 'not run', checks: [], notes });
  if (!place.resolved.settings.enabled) return notRun('Everything is off: enabled = false.');
  return inWorkspace((workspace) => {
    const { root } = workspace;
    workspace.write('.git/HEAD', 'ref: refs/heads/main\n');
    const there = findProject(root, trialEnvironment(place.env, root));
    ensureStateFolder(there);
    for (const name of ['config', 'localConfig'] as const) {
      const text = place.root === null ? null : readTextOrNull(place.paths[name], SETTINGS_FILE);
      if (text !== null) replaceFile(there[name], text);
    }
    const file = candidates(options).find(
      (each) => verdictOn(each, root, options, place.env).decision === 'deny',
    );
    if (options.mode !== 'enforce') {
      const would =
        file === undefined
          ? 'nothing that this gate knows to try would be denied'
          : `writing ${file} would be denied`;
      const now = options.mode === 'warn' ? 'the agent is warned only' : 'nothing is judged';
      return notRun(`guardrails.mode is "${options.mode}": ${now}. With "enforce" ${would}.`);
    }
    if (file === undefined)
      return notRun(
        'No file is forbidden by these settings: guardrails.paths.protected is empty, and writing is free.',
      );
    const bundle = hookBundle(place.env, dist);
    const which = bundle.isInstalled
      ? 'the installed hook'
      : 'the hook of this command, since none is installed';
    const checks = checksFor(place, workspace, bundle.path, file);
    return gateResult(GATE, checks, [`Tried with ${which} (${displayPath(bundle.path, place)}).`]);
  });
}
