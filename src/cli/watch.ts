// Runs `plimsoll watch`: shows a project live, as a view drawn in place on a terminal, elsewhere as a line per change.
import { basename } from 'node:path';
import type { LoggedEvent } from '../model/log-event.ts';
import { isUnchanged } from '../platform/look.ts';
import { eventLine } from './events.ts';
import { type Output, UserError } from './output.ts';
import type { Place } from './place.ts';
import { type Watched, watchedIn } from './watch-conversation.ts';
import { eventsSince, type Seen } from './watch-events.ts';
import { briefId, figures, type Line, screen, written } from './watch-screen.ts';
import { openTerminal } from './watch-terminal.ts';

export interface WatchOptions {
  once?: boolean;
  interval?: string;
  json?: boolean;
}

/** Events kept for the view. */
const MOST_EVENTS = 200;
const FOOT = 'Ctrl-C ends this.';

interface View {
  title: string;
  conversations: Watched[];
  events: LoggedEvent[];
  /** Events that were new at the last look. */
  news: LoggedEvent[];
  seen: Seen;
}

const lineTime = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');

/** Reads the view again, and of it only what has changed. */
function look(place: Place, before: View | null): View {
  const { events: news, seen } = eventsSince(place, before?.seen ?? new Map());
  return {
    title: `plimsoll watch  ${basename(place.root ?? place.cwd)}`,
    conversations: watchedIn(place, before?.conversations ?? []),
    events: [...(before?.events ?? []), ...news].slice(-MOST_EVENTS),
    news,
    seen,
  };
}

/** A session as data for --json and for comparing views. */
const dataOf = (each: Watched) => ({
  session_id: each.id,
  under_way: each.isUnderWay,
  last_sign: new Date(each.at).toISOString(),
  tokens: each.assessment.reading.tokens,
  estimated: each.assessment.reading.estimated,
  tier: each.assessment.tier,
  usable_fill: each.assessment.usable_fill,
  headroom: each.assessment.headroom,
  usable_context: each.assessment.usable,
  window: each.assessment.window.tokens,
  compactions: each.compactions,
  last_checkpoint: each.state?.last_checkpoint?.id ?? null,
  tool_calls_since_checkpoint: each.calls,
  section: each.section,
});

/** The fields whose change is worth a line; the passing of time is not. */
const changeOf = (each: Watched): string => {
  const { last_sign: _, ...rest } = dataOf(each);
  return JSON.stringify(rest);
};

function changeLine(each: Watched, now: number): string {
  const tier = each.assessment.tier ?? 'unknown';
  const end = each.isUnderWay ? '' : '  (not under way)';
  return `${lineTime(now)}  ${briefId(each.id)}  ${tier.padEnd(24)}${figures(each)}${end}`;
}

/** Prints what has changed since the last look, one line each. */
function printChanges(view: View, before: View | null, now: number, output: Output, json: boolean): void {
  const known = new Map((before?.conversations ?? []).map((each) => [each.id, changeOf(each)]));
  // Events before the first look are history, which `plimsoll events` tells.
  for (const event of before === null ? [] : view.news) {
    output.print(json ? JSON.stringify({ event }) : eventLine(event, event.conversation ?? event.stream));
  }
  for (const each of view.conversations) {
    if (known.get(each.id) === changeOf(each)) continue;
    output.print(
      json
        ? JSON.stringify({ at: new Date(now).toISOString(), conversation: dataOf(each) })
        : changeLine(each, now),
    );
  }
}

function intervalOf({ interval }: WatchOptions): number {
  if (interval === undefined) return 1_000;
  const seconds = Number(interval);
  if (seconds >= 0.2 && seconds <= 3_600) return seconds * 1_000;
  throw new UserError(`--interval "${interval}" is no number of seconds from 0.2 to 3600`, {
    hint: 'e.g. plimsoll watch --interval 5',
    code: 2,
  });
}

const text = (lines: readonly Line[]): string =>
  lines.map((line) => written(line, Number.POSITIVE_INFINITY, false)).join('\n');

/**
 * Shows the project until somebody ends it.
 * @param placeAt reads the project context; called again when a settings file has changed
 */
export async function watch(placeAt: () => Place, options: WatchOptions, output: Output): Promise<void> {
  const wait = intervalOf(options);
  let place = placeAt();
  let view = look(place, null);
  const whole = (): Line[] =>
    screen(view, { now: place.now, rows: Number.POSITIVE_INFINITY, width: 100, foot: null });
  if (options.once) {
    output.print(
      options.json
        ? JSON.stringify({ conversations: view.conversations.map(dataOf), events: view.events }, null, 2)
        : text(whole()),
    );
    return;
  }
  const { stdout, env } = process;
  const isPlain = options.json === true || stdout.isTTY !== true || env.TERM === 'dumb';
  const terminal = isPlain ? null : openTerminal(stdout, !env.NO_COLOR);
  const draw = (again = false): void =>
    terminal?.draw(
      screen(view, { now: place.now, rows: terminal.rows(), width: terminal.columns(), foot: FOOT }),
      again,
    );
  if (terminal === null) printChanges(view, null, place.now, output, options.json === true);
  else draw();

  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout;
    const next = (): void => {
      const before = view;
      // The settings are resolved again only when one of their files has changed.
      place = place.resolved.stamps.every(isUnchanged) ? { ...place, now: Date.now() } : placeAt();
      view = look(place, before);
      if (terminal === null) printChanges(view, before, place.now, output, options.json === true);
      else draw();
      timer = setTimeout(next, wait);
    };
    const end = (): void => {
      clearTimeout(timer);
      terminal?.leave();
      resolve();
    };
    timer = setTimeout(next, wait);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
    // The reader of the output has closed it.
    stdout.on('error', end);
    stdout.on('resize', () => draw(true));
    if (terminal === null || process.platform === 'win32') return;
    process.on('SIGTSTP', () => {
      terminal.leave();
      process.kill(process.pid, 'SIGSTOP');
    });
    process.on('SIGCONT', () => {
      terminal.enter();
      draw(true);
    });
  });
  // The last view stays on the screen after the end.
  if (terminal !== null) output.print(text(whole()));
}
