// Files have changed, and no edit of them was judged: may they be as they are now?
import { guardrailOptions } from '../config/guardrails.ts';
import { judgeFile } from '../model/guardrails/changed-file.ts';
import { hasLayers } from '../model/guardrails/options.ts';
import type { Verdict } from '../model/guardrails/verdict.ts';
import type { Part } from '../model/outcome.ts';
import { committedText } from '../store/git.ts';
import { readLooked } from '../store/looked.ts';
import { homeOf } from '../store/paths.ts';
import { readText } from '../store/real-paths.ts';
import { changedFiles } from '../tags/changed-files.ts';
import type { Behind } from './changed.ts';
import { guardSight } from './guard-sight.ts';
import type { Call } from './look.ts';

/** So many files are judged after one command; of more than these the rest is counted. */
const MOST_FILES = 100;

/** The verdicts that are not "pass". With `mode = "warn"` they are the same: more than a word nothing comes of them. */
async function verdictsOn(call: Call, { changed, now }: Behind): Promise<Verdict[]> {
  const { env, event, resolved } = call;
  const root = call.paths.root ?? event.cwd;
  const options = guardrailOptions(resolved.settings);
  const sight = await guardSight(call, root, options, false);
  const place = { cwd: event.cwd, root, home: homeOf(env) };
  return changed
    .slice(0, MOST_FILES)
    .map((path) => {
      const isGone = now.stamps?.[path] === 'gone';
      const text = isGone || !hasLayers(options) ? null : readText(path);
      const file = { path, text, isGone, by: 'a command', before: () => committedText(path, env) };
      return judgeFile(file, place, options, sight);
    })
    .filter(({ decision }) => decision !== 'pass');
}

/** The warning, where there is one, and the look that the next one is held against: kept when the words are written. */
export async function changedParts(call: Call, behind: Behind): Promise<Part[]> {
  const { before, changed, now } = behind;
  const { conversation } = call.event;
  const verdicts = changed.length === 0 ? [] : await verdictsOn(call, behind);
  const unjudged = Math.max(0, changed.length - MOST_FILES);
  const violations = verdicts.map(({ rule }) => ({ rule: rule ?? '', tool: null, verdict: 'warn' }));
  const context = changedFiles(
    verdicts.map(({ reason }) => reason ?? ''),
    unjudged,
  );
  const note = { do: 'note-looked', looked: now, violations } as const;
  const name = 'changed files';
  if (context === null) return [{ name, keep: [note] }];
  return [
    {
      name,
      claim: {
        name: `${conversation}-o${before?.at ?? 0}-changed`,
        isLeased: () => readLooked(call.paths, conversation)?.at !== before?.at,
      },
      say: () => ({ context }),
      mark: [note],
    },
  ];
}
