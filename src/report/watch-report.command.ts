// Runs `plimsoll report --watch`: serves the report on 127.0.0.1 to whoever knows its address, and renews it while sessions run.

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Output } from '../cli/output.io.ts';
import type { ProjectContext } from '../cli/project.io.ts';
import { listHostTranscripts } from '../hosts/registry.io.ts';
import { openWithSystem } from '../platform/desktop.ts';
import { hashSha256 } from '../platform/sha256.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import type { ReportOptions } from './report.command.ts';
import { findSources, type Reading, type ReportSources, readReport, stampSource } from './report-data.io.ts';

/** What is served: the page for a nonce of its script, and what stands in it. */
interface Served {
  page: (nonce: string) => string;
  main: () => string;
}

interface LiveServer {
  url: string;
  /** Tells every page that is open that it has changed. */
  tell: () => void;
  close: () => Promise<void>;
}

/** Puts the new report in place of the old one, and leaves open what was. */
const LIVE_SCRIPT = `const key = (each) => each.id || each.querySelector('summary').textContent;
let asked = false;
async function renew() {
  const answer = await fetch('main');
  if (!answer.ok) return;
  const main = document.querySelector('main');
  const open = new Map([...main.querySelectorAll('details')].map((each) => [key(each), each.open]));
  main.outerHTML = await answer.text();
  for (const each of document.querySelectorAll('main details')) each.open = open.get(key(each)) ?? each.open;
}
new EventSource('events').addEventListener('changed', renew);
`;

/** A connection that carries nothing is taken for dead by some; this often a line of nothing goes out. */
const BEAT_MS = 15_000;

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Whether a request names this very server, and comes from no other page. */
function isOwn({ headers }: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = headers;
  return (
    host !== undefined &&
    hosts.includes(host) &&
    (origin === undefined || hosts.some((each) => origin === `http://${each}`))
  );
}

/** What a request gets: a text, the stream of changes, or nothing but a status. */
type Reply = { status: 200; body: string } | { status: 200; body: null } | { status: 403 | 404 | 405 };

function findReply(request: IncomingMessage, served: Served, own: { port: number; token: string }): Reply {
  if (!isOwn(request, own.port)) return { status: 403 };
  const [, given = '', name, ...more] = (request.url ?? '').split('/');
  // Compared by their hashes: how long it takes tells nothing of the token.
  if (hashSha256(given) !== hashSha256(own.token) || more.length > 0) return { status: 404 };
  if (request.method !== 'GET') return { status: 405 };
  if (name === '') return { status: 200, body: served.page(randomBytes(16).toString('base64')) };
  if (name === 'main') return { status: 200, body: served.main() };
  return name === 'events' ? { status: 200, body: null } : { status: 404 };
}

/**
 * Begins to serve on 127.0.0.1.
 * @param port 0 for any that is free
 */
async function serveReport(served: Served, port: number): Promise<LiveServer> {
  const token = randomBytes(24).toString('base64url');
  const listening = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const reply = findReply(request, served, { port: own, token });
    const isStream = 'body' in reply && reply.body === null;
    const type = isStream ? 'text/event-stream' : 'text/html';
    const headers = 'body' in reply ? { ...HEADERS, 'content-type': `${type}; charset=utf-8` } : HEADERS;
    response.writeHead(reply.status, headers);
    if (!isStream) {
      response.end('body' in reply ? reply.body : undefined);
      return;
    }
    response.write(': \n\n');
    listening.add(response);
    response.on('close', () => listening.delete(response));
  });
  await new Promise<void>((resolve, reject) => {
    const refuse = ({ message }: Error): void =>
      reject(
        new PlimsollError('conflict', `Cannot listen on port ${port}: ${message}`, {
          hint: 'take another one, or leave --port out for any that is free',
        }),
      );
    server.once('error', refuse).listen(port, '127.0.0.1', resolve);
  });
  const write = (text: string): void => {
    for (const each of listening) each.write(text);
  };
  const beat = setInterval(() => write(': \n\n'), BEAT_MS);
  beat.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`,
    tell: () => write('event: changed\ndata: \n\n'),
    close: () => {
      clearInterval(beat);
      for (const each of listening) each.end();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

const LOOK_MS = 500;
/** A long transcript takes time to read: it is waited for so many times as long, and the machine stays free. */
const SHARE = 4;

function readPort(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new PlimsollError('usage', `--port "${given}" is no port`, { hint: 'e.g. --port 8080' });
}

/** What is meant now: the named ones, else all sessions of this project, which may be none yet. */
function findLive(place: ProjectContext, named: readonly string[], isAll: boolean): ReportSources {
  if (named.length > 0) return findSources(place, named, isAll);
  const found = listHostTranscripts(isAll ? null : (place.root ?? place.cwd), place.env);
  return { paths: found.map(({ path }) => path), isOverview: true };
}

const stampAll = (place: ProjectContext, { paths }: ReportSources): string =>
  paths
    .map((path) => stampSource(place, path))
    .sort()
    .join('\n');

/**
 * Serves until the process is ended.
 * @param placeAt reads the project context anew
 */
export async function watchReport(
  placeAt: () => Promise<ProjectContext>,
  named: readonly string[],
  options: ReportOptions,
  output: Output,
  dist: string,
): Promise<never> {
  const port = readPort(options.port);
  const isAll = options.all === true;
  const first = await placeAt();
  const { renderMain, renderPage } = await import('./page.ts');
  const known: NonNullable<Reading['known']> = new Map();
  const read = async () => {
    const place = await placeAt();
    const sources = findLive(place, named, isAll);
    const withEvidence = options.retention === true;
    return {
      stamps: stampAll(place, sources),
      input: await readReport(place, sources, { withEvidence, dist, known }),
    };
  };
  let present = await read();
  const server = await serveReport(
    {
      page: (nonce) => renderPage(present.input, { nonce, script: LIVE_SCRIPT }),
      main: () => renderMain(present.input),
    },
    port,
  );
  output.print(
    `${server.url}\nServed to this machine alone, until Ctrl-C. The address is the key: keep it to yourself.`,
  );
  if (options.open && !openWithSystem(server.url, first.env)) output.warn('Nothing here opens addresses');
  let pause = LOOK_MS;
  for (;;) {
    await new Promise((wait) => setTimeout(wait, pause));
    try {
      const place = await placeAt();
      if (stampAll(place, findLive(place, named, isAll)) === present.stamps) continue;
      const began = performance.now();
      present = await read();
      pause = Math.max(LOOK_MS, SHARE * (performance.now() - began));
      server.tell();
    } catch {
      // What is being replaced is read at the next look.
    }
  }
}
