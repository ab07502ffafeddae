// Judges a call before it runs, and the files that a command has changed after it: the verdict bundle.

import type { Action } from '../../../hook/action.ts';
import { takeClaim } from '../../../hook/claim.io.ts';
import { findTimeLeft, type GuardContext, type HookContext } from '../../../hook/snapshot.io.ts';
import { isShellTool, mayChangeFiles } from '../../../hosts/claude-code/tools/kinds.ts';
import type { Verdict, VerdictDecision } from '../../../hosts/verdict.ts';
import { isFolderCommitted, listBroughtByGit, readCommittedText } from '../../../platform/git/git-state.ts';
import { readTouchTime } from '../../../platform/look.ts';
import { runInTime } from '../../../platform/process.ts';
import { findHome } from '../../../platform/project/paths.ts';
import { type FailureSink, tryStep, tryStepAsync } from '../../../platform/project/try-step.ts';
import { createDiskPort, readText } from '../../../platform/real-paths.ts';
import { readHookRuns } from '../../../sessions/last-runs.io.ts';
import { readCurrent } from '../../../sessions/session-state-file.io.ts';
import { type GuardrailOptions, hasLayers } from '../../../settings/guardrail-options.ts';
import { ownPlaces } from '../../../settings/layers.io.ts';
import { readGuardrailOptions } from '../../../settings/read-guardrails.ts';
import { BUDGETS, cutToTokens, estimateTokens } from '../../../text/budget.ts';
import { escapeInline, escapeInlineEach } from '../../../text/escape.ts';
import { makeSafeName, stripFolder } from '../../../text/path-text.ts';
import { redact } from '../../../text/redact.ts';
import type { PathChange } from '../change.ts';
import { checkChangedFile } from '../changed-file.ts';
import { readFileField } from '../find-changes.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import { findLanguage } from '../imports/found-import.ts';
import { buildUndecided, checkGuardedCall } from '../judge.ts';
import { findLayer } from '../rules/layers.ts';
import { readWorktreeSnapshot, recordApproved } from './kept-snapshot.io.ts';
import { readStamps } from './take-snapshot.io.ts';
import type { WorktreeDiff } from './worktree-diff.io.ts';

/** @param isShell whether the call to judge is a shell command */
async function buildGuardFs(
  hook: FailureSink & Pick<GuardContext, 'env'>,
  root: string,
  options: GuardrailOptions,
  isShell: boolean,
): Promise<FileSystemPort> {
  return {
    ...createDiskPort(root),
    own: ownPlaces(root, hook.env),
    isCommitted: (path) => isFolderCommitted(path, hook.env),
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

/**
 * Whether the agent was told of a file that a command has changed, and it is as it was then: it may be put back, and where
 * it was never committed, removed.
 */
function isToldOf({ paths, event, env }: GuardContext, path: string, act: PathChange['act']): boolean {
  const stamp = readWorktreeSnapshot(paths, event.session)?.told?.[path];
  if (stamp === undefined || readStamps([path])[path] !== stamp) return false;
  return act === 'write' || readCommittedText(path, env) === null;
}

/**
 * Whether a verdict is not reported: because this session is switched off, or because it only repeats a warning of an
 * unready track. The same findings about a track are reported once, and again after a compaction.
 */
function isUnsaid(hook: GuardContext, { decision, trace, reason }: Verdict): boolean {
  const { paths, event, now } = hook;
  const state = tryStep(hook, 'state', () => readCurrent(paths, event.session));
  if (state?.off === true) return true;
  const rules = trace.filter((step) => step.decision !== 'abstain' && step.rule !== 'guardrails');
  if (decision !== 'warn' || !rules.every(({ rule }) => rule === 'tracks')) return false;
  const lines = (reason ?? '').split('\n').filter((line) => line.startsWith('- '));
  const findings = makeSafeName(lines.join()).split('-').at(-1);
  const name = `e${state?.transcript_position.boundaries ?? 0}-track-${findings}`;
  return !(tryStep(hook, 'track gate', () => takeClaim(paths, event.session, name, now, () => true)) ?? true);
}

/** The verdict of the rules; when they fail or take too long, the call counts as undecided. */
function verdictOn(
  hook: GuardContext,
  toolCall: GuardedCall,
  options: GuardrailOptions,
  sight: FileSystemPort,
): Verdict {
  const tell = (error: unknown, doubt: string): Verdict => {
    hook.onFailure('guardrails', error);
    return buildUndecided(toolCall, doubt, options);
  };
  try {
    const found = runInTime(findTimeLeft(hook), () => checkGuardedCall(toolCall, options, sight));
    if ('done' in found) return found.done;
    return tell(`a call of ${toolCall.tool} was not judged in time`, 'judging it takes too long');
  } catch (error) {
    return tell(error, 'the guardrails have failed over it');
  }
}

/** Judges a call and prints the answer; a call that is asked about or denied also becomes an event of the session. */
export async function checkCall(
  hook: GuardContext,
  { tool, input }: Pick<GuardedCall, 'tool' | 'input'>,
  print: (text: string) => void,
  evaluation: FileSystemPort['evaluation'] = null,
): Promise<VerdictDecision> {
  const { paths, event, env, resolved } = hook;
  const root = paths.root ?? event.cwd;
  const options = readGuardrailOptions(resolved.settings);
  const undoes = (path: string, act: PathChange['act']): boolean => isToldOf(hook, path, act);
  const sight = { ...(await buildGuardFs(hook, root, options, isShellTool(tool))), evaluation, undoes };
  const toolCall = { tool, input, cwd: event.cwd, root, home: findHome(env) };
  const verdict = verdictOn(hook, toolCall, options, sight);
  if (verdict.decision !== 'abstain' && isUnsaid(hook, verdict)) return 'abstain';
  const reply = hook.host.formatVerdict({
    ...verdict,
    reason: verdict.reason && escapeInlineEach(verdict.reason),
  });
  if (reply !== null) print(reply);
  if (verdict.decision !== 'deny') {
    // What was said of a file before the call is not repeated after it.
    const file = readFileField(toolCall, options.paths.fields);
    tryStep(hook, 'changed files', () =>
      recordApproved(paths, event.session, file === null ? verdict.files : [sight.resolve(file, true).path]),
    );
  }
  if (verdict.decision !== 'ask' && verdict.decision !== 'deny') return verdict.decision;
  await tryStepAsync(hook, 'events', async () => {
    const { recordViolation } = await import('../../../sessions/record.io.ts');
    recordViolation(
      paths,
      event.session,
      { rule: verdict.rule ?? '', tool, verdict: verdict.decision },
      hook.now,
    );
  });
  return verdict.decision;
}

// The message about files that a command changed although rules of the project guard them.
const HEAD =
  'Plimsoll: since the last look files have changed that the rules of this project guard; no edit tool did it, so it was a command, or somebody beside it.';
const headWith = (command: string): string =>
  `Plimsoll: while \`${escapeInline(cutToTokens(redact(command), 40))}\` ran, and no other command, files have changed that the rules of this project guard.`;
/** More than fit into the budget in any case. */
const MOST_LINES = 20;
const TAIL =
  'Nothing was undone. Put back what your commands did without its being meant: "git restore FILE", or "rm FILE" for a new one, is let through where nothing else was changed in the file. What they did not do is not yours: leave it, and tell the user.';

/**
 * Lists why each file violates a rule, as many as fit into the budget, and how many more there are. Null when there is
 * nothing to report.
 * @param unread number of changed files in layers whose imports were not read
 * @param command the only one that ran meanwhile; null where there were several, or it is not known
 */
export function describeChangedFiles(
  reasons: readonly string[],
  unread: number,
  command: string | null = null,
): string | null {
  if (reasons.length === 0 && unread === 0) return null;
  const rest =
    unread === 0
      ? []
      : [
          `${unread} more changed ${unread === 1 ? 'file has' : 'files have'} imports that were not judged; "plimsoll check" judges them.`,
        ];
  if (reasons.length === 0) return `Plimsoll: ${rest[0]}`;
  const head = command === null ? HEAD : headWith(command);
  const textOf = (shown: readonly string[]): string => {
    const left = reasons.length - shown.length;
    const more = left === 0 ? [] : [`- and ${left} more of this kind`];
    return [head, ...shown.map((each) => `- ${each}`), ...more, ...rest, TAIL].join('\n');
  };
  const lines = reasons.map((reason) => cutToTokens(escapeInline(reason), 120));
  let count = Math.min(lines.length, MOST_LINES);
  while (count > 1 && estimateTokens(textOf(lines.slice(0, count))) > BUDGETS.changedFiles) count--;
  return textOf(lines.slice(0, count));
}

/** The most files whose imports are read after one command; the rest is only counted. */
const MOST_READ = 100;
/** The clock of a file system may lag by this much. */
const TICK_MS = 10;

/** The only command that may have changed something since the last look; null where something else may have. */
function findOnlyCommand({ host, event }: HookContext, { now, before }: WorktreeDiff): string | null {
  if (event.kind !== 'after-tool' || now.goesOn || before?.prompt !== event.promptId) return null;
  const [only, ...others] = host.readToolCalls(event.payload).filter(mayChangeFiles);
  if (only === undefined || others.length > 0 || !isShellTool(only.tool)) return null;
  return typeof only.input.command === 'string' ? only.input.command : null;
}

/**
 * The earliest time, in ms, at which the calls may have changed a file: the start of a single command that leaves
 * nothing running; in all other cases the last look.
 */
function begunAt({ host, paths, event }: HookContext, { before, now }: WorktreeDiff): number {
  const looked = before?.at ?? 0;
  const calls = event.kind === 'after-tool' ? host.readToolCalls(event.payload) : [];
  if (calls.length !== 1 || !isShellTool(calls[0]?.tool ?? '') || now.goesOn) return looked;
  const run = readHookRuns(paths, event.session).find(({ name }) => name === host.beforeTool);
  return Math.max(looked, Date.parse(run?.at ?? '') || 0);
}

interface Judged {
  /** The verdicts that are not "abstain". `mode = "warn"` makes no difference, because they only ever become a warning. */
  verdicts: Verdict[];
  /** The files that they are about. */
  files: string[];
  /** Files whose imports were not read. */
  unread: number;
}

async function judged(hook: HookContext, behind: WorktreeDiff): Promise<Judged> {
  const { env, event, resolved } = hook;
  const since = begunAt(hook, behind) - TICK_MS;
  const changed = behind.changed.filter((path) => readTouchTime(path) >= since);
  const root = hook.paths.root ?? event.cwd;
  const options = readGuardrailOptions(resolved.settings);
  const sight = await buildGuardFs(hook, root, options, false);
  const place = { cwd: event.cwd, root, home: findHome(env) };
  const { layers, one_class } = options.architecture;
  const isRead = (path: string): boolean =>
    findLanguage(path) !== null &&
    (one_class || findLayer([stripFolder(path, root) ?? path], layers) !== null);
  const sources = hasLayers(options) ? changed.filter(isRead) : [];
  const read = new Set(sources.slice(0, MOST_READ));
  const found = changed.flatMap((path) => {
    const isGone = behind.now.stamps?.[path] === 'gone';
    const text = isGone || !read.has(path) ? null : readText(path);
    const file = { path, text, isGone, before: () => readCommittedText(path, env) };
    const verdict = checkChangedFile(file, place, options, sight);
    return verdict.decision === 'abstain' ? [] : [{ path, verdict }];
  });
  const paths = found.map(({ path }) => path);
  const brought = found.length === 0 ? new Set() : listBroughtByGit(root, paths, env);
  const told = found.filter(({ path }) => !brought.has(path));
  return {
    verdicts: told.map(({ verdict }) => verdict),
    files: told.map(({ path }) => path),
    unread: sources.length - read.size,
  };
}

/** The warning, if any, and the look to compare the next one with, which is saved after the warning is written. */
export async function buildChangedFileActions(hook: HookContext, behind: WorktreeDiff): Promise<Action[]> {
  const { before, changed, now } = behind;
  const { session } = hook.event;
  const { verdicts, files, unread } =
    changed.length === 0 ? { verdicts: [], files: [], unread: 0 } : await judged(hook, behind);
  const violations = verdicts.map(({ rule }) => ({ rule: rule ?? '', tool: null, verdict: 'warn' }));
  const context = describeChangedFiles(
    verdicts.map(({ reason }) => reason ?? ''),
    unread,
    findOnlyCommand(hook, behind),
  );
  // A file in which something was changed before is not given up with what the command did to it.
  const isWhole = (path: string): boolean =>
    before?.stamps?.[path] === undefined || before.told?.[path] === before.stamps[path];
  const fresh = files.filter(isWhole).map((path) => [path, now.stamps?.[path] ?? ''] as const);
  const told = { ...now.told, ...Object.fromEntries(fresh) };
  const data = fresh.length === 0 ? now : { ...now, told };
  const save = { do: 'apply-in-addon', addon: 'guardrails', data } as const;
  const name = 'changed files';
  if (context === null) return [{ name, effects: [save] }];
  return [
    {
      name,
      claim: {
        name: `o${before?.at ?? 0}-changed`,
        isLeased: () => readWorktreeSnapshot(hook.paths, session)?.at !== before?.at,
      },
      render: () => ({ context }),
      afterReply: [save, { do: 'note-violations', violations }],
    },
  ];
}
