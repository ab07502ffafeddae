// Prints the status line from the client's JSON on stdin: the user's earlier status line, and ours below it.

import { assessmentData } from '../context/assessment.ts';
import { readEnvironment } from '../hosts/claude-code/environment.io.ts';
import { runWrapped } from '../platform/inner-program.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { printAll, processIo, readPayload, stopBlocking } from '../platform/stdio.ts';
import { statusLine, statusParts } from './status-text-line.ts';
import { type OwnStatus, ownStatus } from './statusline.io.ts';

/** How long we wait for the client's whole frame. */
const STDIN_MS = 2_000;
/** How long we wait for the wrapped status line; after that ours is printed without it. */
const WRAPPED_MS = 3_000;

const ESCAPE = '\u001b';

/** Joins their status line, unchanged, with ours below it; ends colours that theirs leaves on. */
function together(theirs: string, ours: string | null): string {
  const above = theirs.replace(/[\r\n]+$/, '');
  if (above === '') return ours ?? '';
  const end = above.includes(ESCAPE) ? `${ESCAPE}[0m` : '';
  return ours === null ? `${above}${end}` : `${above}${end}\n${ours}`;
}

/** Formats our status as a line, or as data for programs. */
const shown = (own: OwnStatus | null, isData: boolean): string | null =>
  isData
    ? JSON.stringify({
        line: own && statusLine(own.facts, { ...own.look, colours: false }),
        parts: own && statusParts(own.facts),
        ...(own?.facts.assessment ? assessmentData(own.facts.assessment) : {}),
      })
    : own && statusLine(own.facts, own.look);

/**
 * Reads a frame, runs the wrapped command with the same bytes, and prints both. Neither blocks the other. Never throws.
 *
 * @param wrap shell command of the user's earlier status line
 * @param ca NODE_EXTRA_CA_CERTS as the client had it, which our own start has cleared; undefined: it was not cleared
 */
export async function runStatusLine(
  options: { wrap?: string | undefined; ca?: string | undefined; json?: boolean },
  given: { env: Env; now: () => number },
): Promise<void> {
  const { env, now } = given;
  const { NODE_EXTRA_CA_CERTS: _, ...others } = env;
  const theirEnv =
    options.ca === undefined
      ? env
      : options.ca === ''
        ? others
        : { ...others, NODE_EXTRA_CA_CERTS: options.ca };
  const failures: { paths: ProjectPaths | null; part: string; error: unknown }[] = [];
  try {
    const chunks: Buffer[] = [];
    stopBlocking();
    const payload = readPayload(now, STDIN_MS, chunks);
    const running = options.wrap
      ? runWrapped(options.wrap, { input: Buffer.concat(chunks), env: theirEnv, ms: WRAPPED_MS })
      : '';
    const own = await ownStatus(payload, {
      env: readEnvironment(env, processIo.cwd()),
      now: now(),
      note: (paths, part, error) => void failures.push({ paths, part, error }),
    });
    const text = together(await running, shown(own, options.json ?? false));
    if (text !== '') printAll(`${text}\n`);
  } catch (error) {
    failures.push({ paths: null, part: 'output', error });
  }
  if (failures.length === 0) return;
  const { logFailures } = await import('../platform/project/failures.ts');
  for (const { paths, part, error } of failures)
    logFailures(paths, env, { hook: 'statusline', now: now(), failures: [{ part, error }] });
}
