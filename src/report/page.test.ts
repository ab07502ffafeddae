// Tests that the page shows all that a session had, loads and runs nothing, and keeps foreign text as text.
import { expect, test } from 'vitest';
import { EVIDENCE, reportedSession, reportInput, risingCalls } from '../../test/unit/reported.ts';
import { renderMain, renderPage, renderUsageSvg } from './page.ts';

const HOSTILE = `</title><script>alert(1)</script><img src=x onerror="alert('2')">\u202e`;

/** What a reader of the page sees of it, tags left out. */
const seen = (page: string): string => page.replace(/<style>[\s\S]*?<\/style>/g, '').replace(/<[^>]*>/g, ' ');

test.each([
  ['usage', /<g[^>]* class="usage"[^>]*><path/],
  ['window', /<g[^>]* class="window"[^>]*><path/],
  ['limit', /<g[^>]* class="limit"[^>]*><path/],
  ['tiers', /<g[^>]* class="tiers"[^>]*>(?:<rect[^>]*>(?:<\/rect>)?){4}/],
  ['a compaction', /<g[^>]* class="compaction"[^>]*><line/],
  ['messages', /<g[^>]* class="messages"[^>]*>(?:<path[^>]*><title>[^<]*<\/title><\/path>){2}/],
  ['a checkpoint', /<title>Checkpoint cx-001 \(tier-rise\), 2026-11-27 10:06<\/title>/],
  ['a gate', /<title>Gate qg-1: 0.9 passed, 2026-11-27 10:08<\/title>/],
  ['the lane of a subagent', /1 a1b2c3/],
  ['what each stretch of it means', /<title>Call 10, 2026-11-27 10:09\n150,000 tokens, 90% of the limit/],
])('the chart holds %s', (_, pattern) => {
  expect(renderMain(reportInput([reportedSession()]))).toMatch(pattern);
});

test('figures stand in tables behind the chart, the compaction with leads, retention, what was known and told', () => {
  const text = seen(renderMain(reportInput([reportedSession()])));
  for (const words of [
    /The parser/,
    /150,000 tokens, 90% of the limit/,
    /Every main-chain call/,
    /1: auto, 151,000 → 30,000 tokens/,
    /at prompts alone\s+no warning/,
    /at prompts and tools\s+3\s+3\s+30,000\s+1/,
    /in the status line\s+4\s+4\s+40,000\s+1/,
    /read again within 20 calls: 2/,
    /files written\s+1\s+0\s+0%\s+1\s+100%/,
    /all\s+2\s+0\s+0%\s+1\s+50%/,
    /npm run lint\s+\(check commands\)/,
    /Build the parser/,
    /12 tokens, in the request right after it/,
    /qg-1\s+1\s+0.9\s+passed/,
    /checkpoint cx-001, trigger tier-rise/,
  ])
    expect(text).toMatch(words);
});

test('what comes from a session is text wherever it stands', () => {
  const { replay, ...session } = reportedSession();
  const page = renderPage(
    reportInput(
      [
        {
          ...session,
          path: HOSTILE,
          evidence: [
            {
              known: [{ title: 'Requests', items: [HOSTILE] }],
              told: { text: HOSTILE, tokens: 1 },
              facts: EVIDENCE.facts.map((fact) => ({ ...fact, value: HOSTILE })),
            },
          ],
          replay: {
            ...replay,
            models: [HOSTILE],
            calls: replay.calls.map((call) => ({ ...call, model: HOSTILE, at: HOSTILE })),
            messages: replay.messages.map((each) => ({ ...each, text: HOSTILE, name: HOSTILE, at: HOSTILE })),
            events: replay.events.map((each) => ({
              ...each,
              gate: HOSTILE,
              checkpoint: HOSTILE,
              type: each.type,
            })),
            agents: replay.agents.map((each) => ({ ...each, id: HOSTILE })),
            session: {
              id: HOSTILE,
              client: HOSTILE,
              entrypoint: HOSTILE,
              cwd: HOSTILE,
              title: HOSTILE,
              started: HOSTILE,
              ended: HOSTILE,
            },
          },
        },
      ],
      { title: HOSTILE },
    ),
  );
  expect(page.match(/<(?:script|img)\b/gi)).toBeNull();
  expect(page).not.toContain('\u202e');
  expect(page).toContain('&lt;/title&gt;&lt;script&gt;');
});

test('the page asks for nothing: no address, no script, and a policy that allows neither', () => {
  const page = renderPage(reportInput([reportedSession()]));
  expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'; img-src data:");
  expect(page.match(/(?:src|href)=["'](?!#|data:)/g)).toBeNull();
  expect(page).not.toMatch(/<script|url\(|@import/);
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
});

test('a live page runs one script, by its nonce', () => {
  const page = renderPage(reportInput([reportedSession()]), { nonce: 'abc', script: 'const a = 1 < 2;' });
  expect(page).toContain("script-src 'nonce-abc'");
  expect(page).toContain('<script nonce="abc">const a = 1 < 2;</script>');
  expect(page.match(/<script/g)).toHaveLength(1);
});

test('headings go down one level at a time, and every table can be reached and has a name', () => {
  const sessions = [reportedSession(), { ...reportedSession(), key: 's2' }];
  for (const input of [reportInput(sessions.slice(0, 1)), reportInput(sessions)]) {
    const page = renderMain(input);
    const levels = [...page.matchAll(/<h([1-6])>/g)].map(([, level]) => Number(level));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries())
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
    expect(page.match(/<table>/g)?.length).toBe(
      page.match(/tabindex="0" role="group" aria-label="Table: [^"]+"><table><caption>/g)?.length,
    );
    const drawn = page.match(/<svg class="(?:wide|narrow)"[^>]*>/g) ?? [];
    expect(drawn.length).toBeGreaterThan(0);
    for (const svg of drawn) expect(svg).toMatch(/role="img" aria-label="[^"]+"/);
  }
});

test('an overview has a row for each project and day, and a link to the section of each session', () => {
  const first = reportedSession();
  const second = reportedSession({ session: { ...first.replay.session, cwd: '~/other', title: null } });
  const page = renderMain(reportInput([first, { ...second, key: 's2', evidence: [null] }], { leftOut: 4 }));
  const text = seen(page);
  expect(text).toMatch(/4 more sessions were found/);
  expect(text).toMatch(/~\/\s*project\s+2026-11-27\s+1\s+90%\s+1\s+-\s+3\s+2\s+0%\s+50%/);
  expect(text).toMatch(/~\/\s*other\s+2026-11-27\s+1\s+90%\s+1\s+-\s+3\s+2\s+-\s+-/);
  for (const key of ['s1', 's2']) {
    expect(page).toContain(`href="#${key}"`);
    expect(page).toContain(`id="${key}"`);
  }
});

test('a session without a call or a time is shown, not refused', () => {
  const none = reportedSession({
    ...{ calls: [], series: [], peak: null, compactions: [], messages: [], events: [], agents: [] },
    session: { id: null, client: null, entrypoint: null, cwd: null, title: null, started: null, ended: null },
  });
  const text = seen(renderMain(reportInput([{ ...none, evidence: [] }])));
  expect(text).toMatch(/No call of a model was measured/);
  expect(text).toMatch(/never compacted/);
  expect(seen(renderMain(reportInput([none, none])))).toMatch(/no date/);
});

test('of a long session the chart keeps the lowest and highest, and the page stays small', () => {
  const calls = risingCalls(20_000, 1_000, 5);
  const spike = calls.map((call, index) => (index === 7_777 ? { ...call, tokens: 166_123 } : call));
  const page = renderMain(reportInput([reportedSession({ calls: spike, compactions: [] })]));
  expect(page).toContain('166,123');
  expect(page.length).toBeLessThan(700_000);
});

test('a chart by itself has its colours in it', () => {
  const svg = renderUsageSvg(reportedSession(), reportInput([reportedSession()]));
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(svg).not.toContain('var(--');
});
