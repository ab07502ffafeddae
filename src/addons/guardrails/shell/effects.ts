// Resolves a text of a command to absolute paths, as far as folder, variables and links are known, and assigns variables.

import { isAbsolute, normalize, toAbsolute } from '../../../text/path-text.ts';
import type { PathChange } from '../change.ts';
import type { Assignment } from './command-tree.ts';
import { buildPattern, findInFolders, findTail, listTexts, plain, type Scripts } from './expand.ts';
import {
  type ChangeOptions,
  type EvalContext,
  GLOB,
  joinSets,
  type ShellState,
  SPLIT,
  UNKNOWN_PART,
} from './shell-state.ts';

/** More changes than this, and the rest of them is a doubt. */
const MOST_CHANGES = 2000;

export function recordChange(run: EvalContext, change: PathChange, into = run.changes): void {
  if (into.size >= MOST_CHANGES) run.limit ??= 'it changes too many files';
  else
    into.set(
      [
        change.path ?? change.written,
        change.act,
        change.whole,
        change.follows,
        change.restores,
        change.maybe,
      ].join('\n'),
      change,
    );
}

export const showPart = (text: string): string => plain(text).replaceAll(UNKNOWN_PART, '…');

/** A path through links that this very command has made. */
function throughLinks(path: string, run: EvalContext): string {
  let now = path;
  for (let left = 8; left > 0; left--) {
    const plainPath = normalize(now);
    const link = [...run.links.keys()].find((name) => plainPath === name || plainPath.startsWith(`${name}/`));
    if (link === undefined) return now;
    now = `${run.links.get(link)}${plainPath.slice(link.length)}`;
  }
  return now;
}

/** Absolute paths of a text; null when it has a part that nobody knows. */
export function readPaths(text: string, state: ShellState, run: EvalContext): string[] | null {
  if (text.includes(UNKNOWN_PART)) return null;
  const isGlob = text.includes(GLOB);
  const name = plain(text);
  const folders = isAbsolute(name) ? [''] : state.folders;
  if (folders === null) return null;
  return folders.flatMap((folder) => {
    if (isGlob) {
      const pattern = toAbsolute(buildPattern(text), folder || '/', run.call.home);
      const found = run.sight.expand(pattern);
      if (found !== null && found.length > 0) return found;
    }
    // `~` was expanded where the shell does it; elsewhere it is a name.
    const path = isAbsolute(name) ? name : `${folder}/${name}`;
    return [throughLinks(path, run)];
  });
}

/** The folder that stands before the first unknown part; null where none does. */
function folderOf(text: string, state: ShellState, run: EvalContext): string | null {
  const known = text.slice(0, Math.max(0, text.indexOf(UNKNOWN_PART)));
  const folder = known.slice(0, known.lastIndexOf('/') + 1);
  return folder === '' || folder.includes(GLOB) ? null : (readPaths(folder, state, run)?.[0] ?? null);
}

export function namesFolder(text: string, state: ShellState, run: EvalContext): boolean {
  if (/\/\.?$/.test(text) || /^\.{1,2}$/.test(text) || /\/\.{1,2}$/.test(text)) return true;
  return (readPaths(text, state, run) ?? []).some(
    (path) => run.made.has(normalize(path)) || run.sight.resolve(path, true).kind === 'folder',
  );
}

/** The text of a file; null when there is none, or this very command may have changed it before. */
export function readPartText(path: string, run: EvalContext): string | null {
  const at = normalize(path);
  const isTouched = [...run.changes.values()].some(
    ({ path: each }) => each === null || at === normalize(each) || at.startsWith(`${normalize(each)}/`),
  );
  return isTouched ? null : run.sight.read(path);
}

/** One change for every place that a text may mean. */
export function change(
  text: string,
  act: PathChange['act'],
  how: ChangeOptions & { by: string },
  state: ShellState,
  run: EvalContext,
): void {
  if (text === '' || /^\/dev\/(?:tcp|udp)\//.test(text)) return;
  const { whole = false, itself = false, restores = false, by } = how;
  const base = {
    written: showPart(text),
    act,
    whole,
    follows: !itself,
    by,
    ...(restores ? { restores } : {}),
  };
  const paths = readPaths(text, state, run);
  if (paths === null) {
    const tail = findTail(text) ?? (text.includes(UNKNOWN_PART) ? undefined : `/${plain(text)}`);
    const within = folderOf(text, state, run);
    const found = findInFolders(text);
    const why = text.includes(UNKNOWN_PART)
      ? 'a part of its path is computed'
      : 'the folder in which it runs is not known';
    recordChange(run, {
      ...base,
      path: null,
      why,
      ...(tail === undefined ? {} : { tail }),
      ...(within === null ? {} : { within }),
      ...(found === undefined ? {} : { found }),
    });
    return;
  }
  for (const path of paths) recordChange(run, { ...base, path });
}

/** Gives variables the values that they may have then. */
export function assign(assignments: readonly Assignment[], state: ShellState, scripts: Scripts): void {
  for (const { name, values, isArray, isElement, append } of assignments) {
    const texts = values.map((word) => listTexts(word, state, scripts));
    const old = state.variables.get(name) ?? [''];
    if (isArray || isElement) {
      const joined = texts.every((each) => each.length === 1)
        ? texts.map((each) => each[0]).join(SPLIT)
        : UNKNOWN_PART;
      const before = append || isElement ? (state.variables.get(`${name}[@]`) ?? ['']) : [''];
      const all = before.map((text) => (text === '' ? joined : text + SPLIT + joined));
      state.variables.set(`${name}[@]`, all);
      state.variables.set(
        name,
        all.map((text) => text.split(SPLIT)[0] ?? ''),
      );
    } else {
      const now = texts[0] ?? [''];
      state.variables.set(
        name,
        append
          ? joinSets(
              [],
              old.flatMap((text) => now.map((more) => text + more)),
            )
          : now,
      );
    }
  }
}
