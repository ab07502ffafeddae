// Checks our own state for `doctor`: readable, private, of this version, without failures or forgotten files.

import { describeOutside, type Outside } from '../platform/project/state-place.ts';
import { type DoctorFinding, error, type Formatter, fixable, info, joinNames, ok } from './finding.ts';

export interface FailureFacts {
  log: string;
  /** Oldest first. */
  lines: { at: string; hook: string; part: string; error: string }[];
}

export interface StateFacts {
  folder: string;
  /** Why it does not lie in the project; null where it does. */
  outside: Outside | null;
  /** What lies beside it that is not ours, and nothing that a project shares. */
  foreign: string[];
  exists: boolean;
  isWritable: boolean;
  /** What stands in it in place of a folder of ours, or is one that cannot be written. */
  blocked: string[];
  /** Paths with our content that git has or would take; null where it cannot say. */
  seenByGit: string[] | null;
  /** Why git reads nothing of the repository that is here, and what helps; null where it does, or there is none. */
  git: { why: string; fix: string } | null;
  /** Folders of ours in the home folder or at the top, where none belongs. */
  stray: string[];
  /** What silences everything here. */
  off: { by: 'environment' | 'setting' | 'project'; origin: string } | null;
  problems: { where: string; message: string }[];
  /** Settings of the project's file that do not count here. */
  notFollowed: string[];
  /** Sessions with state, and what is wrong with files of them. */
  sessions: { count: number; newer: string[]; unreadable: string[]; setAside: string[] };
  /** Other files of ours that a newer version wrote. */
  newer: string[];
  checkpoints: {
    count: number;
    damaged: { id: string; fault: string }[];
    newer: string[];
    /** Not marked as told, though their session was told with them. */
    untold: string[];
  };
  /** Files of ours whose time lies ahead of this machine's clock, with that time in ms. */
  ahead: { path: string; at: number }[];
  /** What dead processes left: locks and temporary files. */
  leftovers: string[];
  /** The state folder's list of what git must not see; git reads none that is a folder or a link. */
  ignoreList: 'there' | 'missing' | 'no file';
}

const DAY_MS = 86_400_000;
/** So many failures of one part in a day are no accident. */
const MANY = 3;
const MOST_PARTS = 5;
const UPGRADE = 'this plimsoll is older than the state: npm install --global plimsoll@latest';

const some = (paths: readonly string[], words: Formatter): string => {
  const shown = paths.slice(0, 3).map(words.path);
  return paths.length > 3 ? `${shown.join(', ')} and ${paths.length - 3} more` : joinNames(shown);
};

function switchFindings(facts: StateFacts): DoctorFinding[] {
  switch (facts.off?.by) {
    case undefined:
      return [];
    case 'environment':
      return [info('switch', 'silenced: PLIMSOLL=off is in the environment', 'unset PLIMSOLL')];
    case 'setting':
      return [info('switch', `silenced: "enabled" is false (${facts.off?.origin})`, 'set enabled = true')];
    case 'project':
      return [info('switch', 'silenced for this project', 'plimsoll on')];
  }
}

/** Where only our own list is missing it is written again. */
const unlistedOr = (facts: StateFacts, finding: DoctorFinding): DoctorFinding =>
  facts.ignoreList === 'missing' ? fixable('ignore', finding) : finding;

function folderFindings(facts: StateFacts, words: Formatter): DoctorFinding[] {
  const where = words.path(facts.folder);
  const outside = describeOutside(facts.outside);
  const seen = facts.seenByGit ?? [];
  const { count } = facts.sessions;
  return [
    facts.isWritable
      ? ok(
          'state',
          facts.exists
            ? `${where}: ${count} session${count === 1 ? '' : 's'}, ${facts.checkpoints.count} checkpoint${facts.checkpoints.count === 1 ? '' : 's'}`
            : `${where}: nothing is kept yet`,
        )
      : error('state', `${where} is no folder, or cannot be written`, 'check the path and its permissions'),
    ...(facts.isWritable && facts.blocked.length > 0
      ? [
          error(
            'state',
            `no folder, or cannot be written: ${some(facts.blocked, words)}; nothing is kept there`,
            'check the path and its permissions',
          ),
        ]
      : []),
    ...(seen.length === 0
      ? []
      : [
          unlistedOr(
            facts,
            error(
              'state',
              `git does not ignore what holds content of sessions: ${some(seen, words)}`,
              facts.ignoreList === 'no file'
                ? `remove ${words.path(`${facts.folder}/.gitignore`)}, which is no file; then plimsoll doctor --fix`
                : 'add them to .gitignore; what is committed already: git rm --cached',
            ),
          ),
        ]),
    ...(outside === null ? [] : [info('state', `it is kept in ${where}: ${outside.why}`, outside.next)]),
    ...(facts.foreign.length === 0
      ? []
      : [
          info(
            'foreign',
            `${some(facts.foreign, words)} ${facts.foreign.length === 1 ? 'is' : 'are'} none of ours, and never read: of a copy of this project, of another user, or put there by somebody`,
            'remove what you do not need; what is committed: git rm -r --cached',
          ),
        ]),
    ...facts.stray.map((path) =>
      info('state', `${path} is there, and never used: the home folder and "/" are no projects`, 'remove it'),
    ),
  ];
}

function fileFindings(facts: StateFacts, words: Formatter): DoctorFinding[] {
  const { newer, unreadable, setAside } = facts.sessions;
  const { damaged, untold } = facts.checkpoints;
  const otherNewer = [...facts.newer, ...facts.checkpoints.newer];
  const about = (paths: readonly string[], text: string): string => `${some(paths, words)} ${text}`;
  return [
    ...(newer.length === 0
      ? []
      : [
          error(
            'state',
            about(newer, 'written by a newer version; left alone, so nothing is kept there'),
            UPGRADE,
          ),
        ]),
    ...(otherNewer.length === 0
      ? []
      : [info('state', about(otherNewer, 'written by a newer version; left alone'), UPGRADE)]),
    ...(unreadable.length === 0
      ? []
      : [
          info(
            'state',
            about(unreadable, 'cannot be read; the next hook sets it aside and begins anew'),
            null,
          ),
        ]),
    ...(setAside.length === 0
      ? []
      : [
          info('state', about(setAside, 'was unreadable and set aside'), 'remove it when you do not need it'),
        ]),
    ...damaged.map(({ id, fault: why }) =>
      info(
        'checkpoints',
        `${id} cannot be used: ${why}`,
        'plimsoll checkpoint verify shows all; the transcript still holds the work',
      ),
    ),
    ...(untold.length === 0
      ? []
      : [
          fixable(
            'marks',
            info(
              'checkpoints',
              `${joinNames(untold)} not marked as told, though the agent was told`,
              `plimsoll checkpoint ack ${untold.join(' ')}`,
            ),
          ),
        ]),
  ];
}

/** Ages are reckoned from the times of files: what is dated ahead stays young, and is told of as just written. */
const clockFindings = ({ ahead }: StateFacts, words: Formatter): DoctorFinding[] =>
  ahead.length === 0
    ? []
    : [
        fixable(
          'dates',
          info(
            'clock',
            `${some(
              ahead.map(({ path }) => path),
              words,
            )} dated ahead of this machine's clock, up to ${new Date(Math.max(...ahead.map(({ at }) => at))).toISOString()}`,
            'set the clock right (date shows it); if it is right now: plimsoll doctor --fix',
          ),
        ),
      ];

function leftoverFindings({ leftovers }: StateFacts, words: Formatter): DoctorFinding[] {
  return leftovers.length === 0
    ? []
    : [
        fixable(
          'leftovers',
          info('state', `${some(leftovers, words)} left by processes that died`, 'plimsoll doctor --fix'),
        ),
      ];
}

/** What failed in the last 24 hours, a finding for each part. */
export function checkFailures(logs: readonly FailureFacts[], now: number, words: Formatter): DoctorFinding[] {
  const all = logs.flatMap(({ log, lines }) => lines.map((line) => ({ ...line, log })));
  const recent = all.filter((each) => now - Date.parse(each.at) < DAY_MS);
  const last = all.at(-1);
  if (recent.length === 0) {
    return [
      ok(
        'failures',
        last === undefined ? 'none' : `none in the last 24 hours; the last one ${words.ago(last.at)}`,
      ),
    ];
  }
  const parts = new Map<string, typeof recent>();
  for (const each of recent) parts.set(each.part, [...(parts.get(each.part) ?? []), each]);
  const newest = (lines: typeof recent): string =>
    lines
      .map((each) => each.at)
      .sort()
      .at(-1) ?? '';
  return [...parts.entries()]
    .sort(([, a], [, b]) => newest(b).localeCompare(newest(a)))
    .slice(0, MOST_PARTS)
    .map(([part, lines]) => {
      const one = lines.find((each) => each.at === newest(lines));
      const times = lines.length === 1 ? 'once' : `${lines.length} times`;
      const finding = `"${part}" failed ${times} in the last 24 hours, last in ${one?.hook || 'a hook'} ${words.ago(one?.at ?? now)}: ${one?.error}`;
      const fix = `see ${words.path(one?.log ?? '')}`;
      return lines.length > MANY ? error('failures', finding, fix) : info('failures', finding, fix);
    });
}

export const stateFindings = (facts: StateFacts, words: Formatter): DoctorFinding[] => [
  ...switchFindings(facts),
  ...facts.problems.map(({ where, message }) =>
    info(
      'settings',
      `${words.path(where)}: ${message}`,
      'correct it (plimsoll config validate names the line and what to do); until then the next layer counts',
    ),
  ),
  ...(facts.notFollowed.length === 0
    ? []
    : [
        info(
          'settings',
          `not followed of the project's settings: ${facts.notFollowed.join(', ')}; a project does not make Plimsoll less strict than you have it, run a command or lead out of its folder unless you allow it`,
          'plimsoll trust shows what each of them does, and asks',
        ),
      ]),
  ...folderFindings(facts, words),
  ...fileFindings(facts, words),
  ...(facts.git === null
    ? []
    : [info('git', `${facts.git.why}; what has changed is not told`, facts.git.fix)]),
  ...clockFindings(facts, words),
  ...leftoverFindings(facts, words),
];
