// Runs `plimsoll trust`: shows what the project's committed settings ask for that only the user may allow, and asks.

import { isDeepStrictEqual } from 'node:util';
import { formatCount, type Output, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { CLIENT_SETTINGS_FILE } from '../../hosts/claude-code/names.ts';
import { type Ask, confirm } from '../../install/settings-file.io.ts';
import { findCommittedLine, LINE } from '../../install/settings-statusline.io.ts';
import { stripInvisible } from '../../text/columns.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { readTrust, type Trusted, writeTrust } from '../committed.io.ts';
import { SETTINGS, type SettingKey } from '../settings.ts';

export interface TrustOptions {
  yes?: boolean;
  list?: boolean;
  remove?: boolean;
  json?: boolean;
}

/** A value of the project that counts only where the user trusts it. */
interface Asked {
  key: string;
  value: unknown;
  /** What the value would do. */
  effect: string;
  trusted: boolean;
  /** What was trusted before the project changed it; absent where nothing was. */
  before?: unknown;
}

const REPLACES =
  'what is stricter in it than yours counts already; if you trust it, its lists stand in place of yours';
const EFFECTS: Partial<Record<SettingKey, string>> = {
  'guardrails.tools': REPLACES,
  'guardrails.commands': 'decides itself which destructive commands run without a question',
  'guardrails.paths': REPLACES,
  'guardrails.governance': REPLACES,
  'tracks.evaluator':
    'runs as your own command in a shell, at "plimsoll track lint". You allow these words: a script that they name may come to do something else',
  'orchestration.path':
    'a file outside the project is read, told to the agent, and changed by "plimsoll state"',
  'statusline.format': 'these words stand in your status line',
};

function askedBy(place: ProjectContext, trusted: Trusted): Asked[] {
  const line = findCommittedLine(place);
  const all: Asked[] = [
    ...place.resolved.committed.map(
      ({ key, value, own, isTrusted }): Asked => ({
        key,
        value,
        effect: EFFECTS[key] ?? `${SETTINGS[key].meaning}; without it: ${stripInvisible(own)}`,
        trusted: isTrusted,
      }),
    ),
    ...(line === null
      ? []
      : [
          {
            key: LINE,
            value: line.value,
            effect: `a command of ${CLIENT_SETTINGS_FILE}, which "plimsoll init --statusline" makes part of your own status line`,
            trusted: line.isTrusted,
          },
        ]),
  ];
  return all.map((each) =>
    each.trusted || !Object.hasOwn(trusted, each.key) ? each : { ...each, before: trusted[each.key] },
  );
}

const linesOf = (asked: readonly Asked[]): string[] =>
  asked.flatMap(({ key, value, effect, trusted, before }) => [
    `  ${key} = ${stripInvisible(value)}${trusted ? '  (you trust it)' : ''}`,
    `    ${effect}`,
    ...(before === undefined ? [] : [`    It has changed: what you trusted was ${stripInvisible(before)}`]),
  ]);

/** Keys that are trusted although the project no longer asks for that value. */
const staleIn = (trusted: Trusted, asked: readonly Asked[]): string[] =>
  Object.keys(trusted).filter(
    (key) => !asked.some((each) => each.key === key && isDeepStrictEqual(each.value, trusted[key])),
  );

/** Shows what is asked for and trusts exactly what it shows; with --remove, forgets what was trusted. */
export async function trust(
  place: ProjectContext,
  options: TrustOptions,
  output: Output,
  ask: Ask,
): Promise<void> {
  const { root, env } = place;
  if (root === null)
    throw new PlimsollError('no-project', 'The home folder and "/" are no projects', {
      hint: 'go to a project',
    });
  const trusted = readTrust(env, root);
  const asked = askedBy(place, trusted);
  const told = (changed: boolean): void =>
    output.print(toJson({ root, changed, asked, stale: staleIn(trusted, asked) }));
  if (options.remove) {
    const number = Object.keys(trusted).length;
    if (number > 0) writeTrust(env, root, {});
    if (options.json) output.print(toJson({ root, changed: number > 0, asked: [], stale: [] }));
    else
      output.print(
        number === 0
          ? 'Nothing of this project was trusted.'
          : `${formatCount(number, 'value')} of this project ${number === 1 ? 'counts' : 'count'} no more.`,
      );
    return;
  }
  const open = asked.filter((each) => !each.trusted);
  if (options.list || open.length === 0) {
    if (options.json) told(false);
    else
      output.print(
        asked.length === 0
          ? 'The settings of this project ask for nothing that needs your trust.'
          : [
              `Of the settings of this project (${displayPath(root, place)}) these count only where you trust them:`,
              ...linesOf(asked),
              open.length === 0 ? 'You trust them all.' : 'Next: plimsoll trust',
            ].join('\n'),
      );
    return;
  }
  if (!options.json)
    output.print(
      [
        `The settings of this project (${displayPath(root, place)}) ask for what only you may allow:`,
        ...linesOf(open),
      ].join('\n'),
    );
  await confirm(
    'Do you trust these values, exactly as they stand here?',
    options,
    output,
    ask,
    'with --list to see them',
  );
  writeTrust(env, root, Object.fromEntries(asked.map(({ key, value }) => [key, value])));
  if (options.json)
    output.print(
      toJson({ root, changed: true, asked: asked.map((each) => ({ ...each, trusted: true })), stale: [] }),
    );
  else
    output.print(
      `${formatCount(open.length, 'value')} ${open.length === 1 ? 'counts' : 'count'} from now on; when one of them changes you are asked again. "plimsoll trust --remove" takes it back.`,
    );
}
