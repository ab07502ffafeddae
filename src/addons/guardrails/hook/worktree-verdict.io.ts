// Judges files that changed without a judged edit, and builds the warning about them.

import type { Action } from '../../../hook/action.ts';
import type { HookContext } from '../../../hook/snapshot.io.ts';
import { isShellTool } from '../../../hosts/claude-code/tools/kinds.ts';
import type { Verdict } from '../../../hosts/verdict.ts';
import { broughtByGit } from '../../../platform/git/git-merging.ts';
import { committedText } from '../../../platform/git/git-state.ts';
import { touchedAt } from '../../../platform/look.ts';
import { homeOf } from '../../../platform/project/paths.ts';
import { readText } from '../../../platform/real-paths.ts';
import { readHookRuns } from '../../../sessions/last-runs.io.ts';
import { hasLayers } from '../../../settings/guardrail-options.ts';
import { guardrailOptions } from '../../../settings/read-guardrails.ts';
import { stripFolder } from '../../../text/path-text.ts';
import { checkChangedFile } from '../changed-file.ts';
import { findLanguage } from '../imports/language.ts';
import { findLayer } from '../rules/layers.ts';
import { changedFiles } from './changed-files.ts';
import { buildGuardFs } from './guard-fs.io.ts';
import { readWorktreeSnapshot } from './kept-snapshot.io.ts';
import type { WorktreeDiff } from './worktree-diff.io.ts';

/** The most files whose imports are read after one command; the rest is only counted. */
const MOST_READ = 100;
/** The clock of a file system may lag by this much. */
const TICK_MS = 10;

/**
 * The earliest time, in ms, at which the calls may have changed a file: the start of a single command that leaves
 * nothing running; in all other cases the last look.
 */
function begunAt({ host, paths, event }: HookContext, { before, now }: WorktreeDiff): number {
  const looked = before?.at ?? 0;
  const calls = event.kind === 'after-tool' ? host.readToolCalls(event.payload) : [];
  if (calls.length !== 1 || !isShellTool(calls[0]?.tool ?? '') || now.goesOn) return looked;
  const run = readHookRuns(paths, event.conversation).find(({ name }) => name === host.beforeTool);
  return Math.max(looked, Date.parse(run?.at ?? '') || 0);
}

interface Judged {
  /** The verdicts that are not "abstain". `mode = "warn"` makes no difference, because they only ever become a warning. */
  verdicts: Verdict[];
  /** Files whose imports were not read. */
  unread: number;
}

async function judged(hook: HookContext, behind: WorktreeDiff): Promise<Judged> {
  const { env, event, resolved } = hook;
  const since = begunAt(hook, behind) - TICK_MS;
  const changed = behind.changed.filter((path) => touchedAt(path) >= since);
  const root = hook.paths.root ?? event.cwd;
  const options = guardrailOptions(resolved.settings);
  const sight = await buildGuardFs(hook, root, options, false);
  const place = { cwd: event.cwd, root, home: homeOf(env) };
  const { layers, one_class } = options.architecture;
  const isRead = (path: string): boolean =>
    findLanguage(path) !== null &&
    (one_class || findLayer([stripFolder(path, root) ?? path], layers) !== null);
  const sources = hasLayers(options) ? changed.filter(isRead) : [];
  const read = new Set(sources.slice(0, MOST_READ));
  const found = changed.flatMap((path) => {
    const isGone = behind.now.stamps?.[path] === 'gone';
    const text = isGone || !read.has(path) ? null : readText(path);
    const file = { path, text, isGone, before: () => committedText(path, env) };
    const verdict = checkChangedFile(file, place, options, sight);
    return verdict.decision === 'abstain' ? [] : [{ path, verdict }];
  });
  const paths = found.map(({ path }) => path);
  const brought = found.length === 0 ? new Set() : broughtByGit(root, paths, env);
  return {
    verdicts: found.flatMap(({ path, verdict }) => (brought.has(path) ? [] : [verdict])),
    unread: sources.length - read.size,
  };
}

/** The warning, if any, and the look to compare the next one with, which is saved after the warning is written. */
export async function buildChangedFileActions(hook: HookContext, behind: WorktreeDiff): Promise<Action[]> {
  const { before, changed, now } = behind;
  const { conversation } = hook.event;
  const { verdicts, unread } =
    changed.length === 0 ? { verdicts: [], unread: 0 } : await judged(hook, behind);
  const violations = verdicts.map(({ rule }) => ({ rule: rule ?? '', tool: null, verdict: 'warn' }));
  const context = changedFiles(
    verdicts.map(({ reason }) => reason ?? ''),
    unread,
  );
  const save = { do: 'apply-in-addon', addon: 'guardrails', data: now } as const;
  const name = 'changed files';
  if (context === null) return [{ name, effects: [save] }];
  return [
    {
      name,
      claim: {
        name: `o${before?.at ?? 0}-changed`,
        isLeased: () => readWorktreeSnapshot(hook.paths, conversation)?.at !== before?.at,
      },
      render: () => ({ context }),
      afterReply: [save, { do: 'note-violations', violations }],
    },
  ];
}
