// Runs `plimsoll export`: writes a report of a session for looking into a problem, without secrets and private text.

import type { StatusSection } from '../../cli/context.ts';
import { formatCount, type Output, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { isAcknowledged, listCheckpoints } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { checkCheckpoint } from '../../compaction/checkpoint/checkpoint-store.io.ts';
import { buildDecisionData } from '../../context/describe-decision.io.ts';
import { readSample } from '../../context/usage-samples.io.ts';
import { examineAll } from '../../doctor/doctor-facts.io.ts';
import { readClientVersion } from '../../hosts/claude-code/install/files.io.ts';
import { readTimeline } from '../../hosts/claude-code/transcript/timeline.io.ts';
import { readFailures } from '../../platform/project/failures.ts';
import { findHomes, listUserPaths } from '../../platform/project/paths.ts';
import { createFile } from '../../platform/write.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from '../../settings/settings.ts';
import { estimateTokens } from '../../text/budget.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { VERSION } from '../../version.ts';
import { readEvents } from '../event-log.io.ts';
import { readDecisions, readHookRuns } from '../last-runs.io.ts';
import { readSessionState } from '../session-states.io.ts';
import { shareable } from './anonymize.ts';
import { readSessionReport } from './find-session.io.ts';
import { readSessionHistory } from './session-history.io.ts';
import { findPresentSession } from './session-log.io.ts';
import { statusData } from './status.command.ts';

export interface ExportOptions {
  session?: string;
  output?: string;
  withText?: boolean;
  json?: boolean;
}

const EXPORT_VERSION = '1.0.0';
const MOST_CHECKPOINTS = 20;
const MOST_EVENTS = 1_000;
const MOST_FILLS = 500;
const MOST_FAILURES = 100;

/** Returns the result of a step, or the error that prevented it, which belongs in the report too. */
async function attempt<T>(step: () => T | Promise<T>): Promise<T | { unreadable: string }> {
  try {
    return await step();
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

function eventsOf(place: ProjectContext, session: string) {
  const { events, problems } = readEvents(place.paths, session);
  return { events: events.slice(-MOST_EVENTS), problems };
}

const checkpointsOf = (place: ProjectContext, session: string) =>
  listCheckpoints(place.paths)
    .map((id) => ({ id, told: isAcknowledged(place.paths, id), found: checkCheckpoint(place.paths, id) }))
    .filter(({ found }) => found.state !== 'ok' || found.checkpoint.conversation.session_id === session)
    .slice(-MOST_CHECKPOINTS)
    .map(({ id, told, found }) =>
      found.state === 'ok' ? { ...found.checkpoint, told } : { event_id: id, told, fault: found.fault },
    );

function historyOf(path: string | null) {
  const timeline = path === null ? null : readTimeline(path, estimateTokens);
  if (timeline === null) return null;
  const { fills, compactions, troubles, arrived, said, storesWords } = timeline;
  return { fills: fills.slice(-MOST_FILLS), compactions, troubles, arrived, said, stores_words: storesWords };
}

async function sessionOf(place: ProjectContext, id: string, parts: readonly StatusSection[]) {
  const { paths } = place;
  const standing = await attempt(() => readSessionReport(place, { session: id }));
  const state = await attempt(() => readSessionState(paths, id));
  const path = 'transcript' in standing ? standing.transcript : null;
  return {
    id,
    status:
      'transcript' in standing
        ? await attempt(async () =>
            statusData(place, standing, await readSessionHistory(place, standing, parts)),
          )
        : standing,
    state,
    hook_runs: readHookRuns(paths, id),
    decisions: readDecisions(paths, id).map((each) => buildDecisionData(each, place.now)),
    feeds: (['module', 'statusline'] as const).map((from) => readSample(paths, id, from)),
    history: await attempt(() => historyOf(path)),
    ...(eventsOf(place, id) as object),
    checkpoints: checkpointsOf(place, id),
  };
}

/** Hides the text of a setting that somebody wrote, such as a command; our own choices and defaults stay. */
const withoutWords = (key: SettingKey, value: unknown): unknown =>
  typeof value !== 'string' || value === SETTINGS[key].default || SETTINGS[key].schema.type === 'picklist'
    ? value
    : `[text left out: ${value.length} characters]`;

async function collected(
  place: ProjectContext,
  id: string | null,
  dist: string,
  withText: boolean,
  parts: readonly StatusSection[],
) {
  const { settings, origins, problems, client } = place.resolved;
  const { findings } = examineAll(place, id ?? undefined, dist);
  return {
    plimsoll_export: EXPORT_VERSION,
    at: new Date(place.now).toISOString(),
    with_text: withText,
    version: VERSION,
    client: readClientVersion(place.env),
    system: { platform: process.platform, arch: process.arch, node: process.version },
    settings: Object.fromEntries(
      SETTING_KEYS.map((key) => [
        key,
        { value: withText ? settings[key] : withoutWords(key, settings[key]), origin: origins[key] },
      ]),
    ),
    settings_problems: problems,
    client_settings: client,
    doctor: findings.map(({ fixable: _, ...each }) => each),
    failures: [place.paths.failures, listUserPaths(place.env).failures].flatMap((log) =>
      readFailures(log).slice(-MOST_FAILURES),
    ),
    session: id === null ? null : await attempt(() => sessionOf(place, id, parts)),
  };
}

/** Describes what the file holds, so that whoever sends it knows. */
function contents(data: Awaited<ReturnType<typeof collected>>): string[] {
  const of = data.session !== null && 'id' in data.session ? data.session : null;
  const events = (of as { events?: unknown[] } | null)?.events?.length ?? 0;
  return [
    `versions and system: plimsoll ${data.version}, client ${data.client ?? 'unknown'}, ${data.system.platform}, node ${data.system.node}`,
    `settings with who set them, ${formatCount(data.doctor.length, 'finding')} of doctor, ${formatCount(data.failures.length, 'failure')}`,
    of === null
      ? 'no session: none was found here'
      : `session ${of.id}: its state, ${formatCount(events, 'event')}, ${formatCount(of.checkpoints.length, 'checkpoint')}, the figures of its context usage`,
    data.with_text
      ? 'WITH the words of requests, answers, tasks and commands (--with-text)'
      : 'without the words of requests, answers, tasks and commands (--with-text puts them in)',
    'secrets are redacted as far as they can be told, the home folder and your name are ~; names of files stand in it',
  ];
}

/** Writes the report to a new file and returns its path. @throws PlimsollError where the file exists */
function write(place: ProjectContext, given: string | undefined, id: string | null, text: string): string {
  const path =
    given ?? `plimsoll-export-${id === null ? 'project' : id.slice(0, 8).replace(/[^\w-]/g, '_')}.json`;
  const full = path.startsWith('/') ? path : `${place.cwd}/${path}`;
  if (createFile(full, text)) return full;
  throw new PlimsollError('already-exists', `"${path}" is there already`, {
    hint: 'remove it, or name another file: --output FILE',
  });
}

/**
 * @param dist folder with the bundles
 * @param parts what add-ons add to the status
 */
export async function exportCommand(
  place: ProjectContext,
  options: ExportOptions,
  output: Output,
  dist: string,
  parts: readonly StatusSection[],
): Promise<void> {
  const withText = options.withText === true;
  const id = options.session ?? findPresentSession(place);
  if (options.session !== undefined) {
    const isKnown = (await attempt(() => readSessionState(place.paths, options.session ?? ''))) !== null;
    // Throws where there is neither state nor transcript.
    if (!isKnown) readSessionReport(place, { session: options.session });
  }
  const data = await collected(place, id, dist, withText, parts);
  const { homes, user } = findHomes(place.env);
  const text = `${toJson(shareable(data, { homes, user, withText }))}\n`;
  if (options.output === '-') {
    output.print(text.trimEnd());
    return;
  }
  const file = write(place, options.output, id, text);
  output.print(
    options.json
      ? toJson({ file, contents: contents(data), next: 'read it before you send it' })
      : [
          `Written: ${displayPath(file, place)} (${Math.ceil(text.length / 1024)} KB). It holds`,
          ...contents(data).map((each) => `  ${each}`),
          'Read it before you send it.',
        ].join('\n'),
  );
}
