// Gate "guardrails": the real hook, with the project's settings in a temporary folder, denies and logs a forbidden write.

import type { ProjectContext } from '../../../cli/project.io.ts';
import { displayPath } from '../../../cli/project.io.ts';
import { hookBundle, runHookBundle } from '../../../doctor/run-real-hook.io.ts';
import { type Env, homeOf } from '../../../platform/project/paths.ts';
import { findProject } from '../../../platform/project/root.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readTextOrNull, SETTINGS_FILE } from '../../../platform/read.ts';
import { diskSight } from '../../../platform/real-paths.ts';
import { replaceFile } from '../../../platform/write.ts';
import { listStreams, readEvents } from '../../../sessions/read-events.io.ts';
import { guardrailOptions } from '../../../settings/guardrail-options.ts';
import { isObject } from '../../../text/json.ts';
import { judge } from '../../guardrails/judge.ts';
import type { GuardrailOptions } from '../../guardrails/options.ts';
import type { Verdict } from '../../guardrails/verdict.ts';
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
  const input = { file_path: `${root}/${file}`, content: 'x' };
  const sight = { ...diskSight(root), commands: null, imports: null };
  return judge(
    { tool: 'Write', input, cwd: root, root, home: homeOf(env) },
    { ...options, mode: 'enforce' },
    sight,
  );
}

/** The environment of the hook: the user's own settings and variables, state in the workspace. */
function environment(env: Env, root: string): Env {
  const kept = Object.entries(env).filter(
    ([name]) =>
      name.startsWith('PLIMSOLL_') ||
      /^(?:PATH|HOME|USERPROFILE|XDG_CONFIG_HOME|CLAUDE_CONFIG_DIR)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PLIMSOLL_TRACK: undefined,
    XDG_STATE_HOME: `${root}/.state`,
    CLAUDE_PROJECT_DIR: root,
  };
}

/** A transcript with one answer, so that there is a session to log events in. */
const TRANSCRIPT = [
  { type: 'user', isSidechain: false, message: { role: 'user', content: 'Try it' } },
  {
    type: 'assistant',
    isSidechain: false,
    message: {
      id: 'm1',
      model: 'claude-sonnet-4-5',
      role: 'assistant',
      content: [{ type: 'text', text: 'Trying.' }],
      usage: { input_tokens: 1_000, output_tokens: 10 },
    },
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

/** Runs the hook on a write of the file, and checks what it answered and logged. */
function checksFor(place: ProjectContext, workspace: Workspace, bundle: string, file: string): GateCheck[] {
  const { root } = workspace;
  const env = environment(place.env, root);
  const payload = { session_id: SESSION, transcript_path: `${root}/transcript.jsonl` };
  const fire = (event: string, more: Record<string, unknown> = {}): string =>
    runHookBundle(bundle, { event, payload: { ...payload, ...more }, cwd: root, env });
  workspace.write('transcript.jsonl', TRANSCRIPT);
  fire('UserPromptSubmit');
  const answer = fire('PreToolUse', {
    tool_name: 'Write',
    tool_input: { file_path: `${root}/${file}`, content: 'x' },
    tool_use_id: 'gate',
  });
  let output: unknown = null;
  try {
    output = (JSON.parse(answer || 'null') as { hookSpecificOutput?: unknown } | null)?.hookSpecificOutput;
  } catch {
    // said below
  }
  const decision = isObject(output) ? output.permissionDecision : null;
  const paths = findProject(root, env);
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
    const there = findProject(root, environment(place.env, root));
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
