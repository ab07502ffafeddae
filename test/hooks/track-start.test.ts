// Tests that a session is told once of the active track, and of no other.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCarriedPlan } from '../../src/addons/tracks/track-context.ts';
import { BUDGETS, estimateTokens } from '../../src/text/budget.ts';
import { answer, boundary, request } from '../unit/lines.ts';
import { type Host, MINE, newHost, SESSION } from './host.ts';

const PLAN = '# Plan\n\n- [x] Task: [T-1] Read\n- [~] Task: [T-2] Write the cache\n';
const FILES = {
  'docs/tracks/ACTIVE_TRACK': 'cache\n',
  'docs/tracks/cache/PLAN.md': PLAN,
  'docs/tracks/cache/DECISIONS.md':
    '- Decision: One file\n  - Reason: no server\n  - Impact: none\n  - At: 2026-01-01T00:00:00Z\n',
  'docs/tracks/cache/RISKS.md': '- Risk: Disk full\n  - Severity: critical\n',
  'docs/tracks/other/PLAN.md': '- [ ] Task: OTHER-TRACK\n',
  'docs/tracks/other/DECISIONS.md': '- Decision: OTHER-TRACK\n  - Reason: r\n  - Impact: i\n',
  'docs/tracks/cache/SPEC.md': '# Specification: cache\n\n## Goal\n\nAnswers in half the time\n',
  'docs/context/ROLES.md': '# Roles\n\n- A person decides.\n',
};
const write = (host: Host, name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(host.project, name)), { recursive: true });
  writeFileSync(path.join(host.project, name), text);
};
const failures = (host: Host): string =>
  existsSync(host.state('failures.jsonl')) ? readFileSync(host.state('failures.jsonl'), 'utf8') : '';
const start = (host: Host, source: string) => host.fire('SessionStart', { source }).context;

describe('a start', () => {
  test.each(['startup', 'clear', 'compact'])(
    '(%s) says goal, plan, decisions, risks and core files of the active track',
    (source) => {
      const host = newHost({ files: FILES });
      if (source === 'compact') {
        host.append(request('Go'), answer(150_000, { id: 'm1' }));
        host.fire('PreCompact', { trigger: 'auto' });
        host.append(boundary());
      }
      const context = start(host, source);
      expect(context).toContain('\nACTIVE TRACK: cache (docs/tracks/cache)\n');
      expect(context).toContain(
        "<track-context>\nTRACK: cache (docs/tracks/ACTIVE_TRACK)\nFrom the project's files, not the user's words:\nGOAL (docs/tracks/cache/SPEC.md): Answers in half the time\nPLAN",
      );
      expect(context).toContain(
        'CORE (read in this order, when needed):\n- docs/context/ROLES.md: A person decides.',
      );
      expect(context).toMatch(/^- One file \(no server\)$/m);
      expect(context).toMatch(/^- critical: Disk full$/m);
      expect(context).not.toContain('OTHER-TRACK');
      expect(context.match(/<track-context>/g)).toHaveLength(1);
      expect(estimateTokens(context)).toBeLessThanOrEqual(BUDGETS.start);
      expect(failures(host)).toBe('');
    },
  );

  test('carries a short plan whole: its text has the hash of the file', () => {
    const host = newHost({ files: FILES });
    const carried = findCarriedPlan(start(host, 'startup'));
    expect(carried?.text).toBe(PLAN);
    expect(
      createHash('sha256')
        .update(PLAN)
        .digest('hex')
        .startsWith(carried?.hash ?? '?'),
    ).toBe(true);
  });

  test('says of the pinned track, and of the one that the environment names', () => {
    const host = newHost({ files: FILES });
    mkdirSync(host.state('sessions', SESSION), { recursive: true });
    writeFileSync(host.state('sessions', SESSION, 'track'), 'other\n');
    expect(start(host, 'startup')).toContain('TRACK: other (pinned to this session)');
    host.env.PLIMSOLL_TRACK = 'cache';
    expect(start(host, 'startup')).toContain('TRACK: cache (PLIMSOLL_TRACK)');
  });

  test.each([
    [
      'names no track that there is',
      'gone',
      /No track is worked on: docs\/tracks\/ACTIVE_TRACK names the track gone, .*plimsoll track new gone/,
    ],
    [
      'holds no id',
      '../../etc',
      /ACTIVE_TRACK holds "\.\.\/\.\.\/etc", which is no id of a track: run plimsoll track activate ID/,
    ],
  ])('says in one line when the pointer %s', (_, pointer, words) => {
    const host = newHost({ files: { ...FILES, 'docs/tracks/ACTIVE_TRACK': pointer } });
    const [line = ''] = start(host, 'startup').match(/<track-context>.*/) ?? [];
    expect(line).toMatch(words);
    expect(line.endsWith('</track-context>')).toBe(true);
  });

  test('says nothing of tracks where there is no pointer, no folder, or tracks are off', () => {
    const { 'docs/tracks/ACTIVE_TRACK': _, ...unpointed } = FILES;
    for (const files of [{}, unpointed, { ...FILES, [MINE]: '[tracks]\nenabled = "off"\n' }])
      expect(start(newHost({ files }), 'startup')).toBe('');
  });

  test('stays within its tokens with every layer at its longest', () => {
    const long = (text: string): string => Array.from({ length: 80 }, (_, at) => `${text} ${at}`).join('\n');
    const host = newHost({
      files: {
        ...FILES,
        '.plimsoll/quality.md': long('- a rule of the project that is not short'),
        'docs/tracks/cache/PLAN.md': long('- [ ] Task: something that is to be done'),
        'docs/tracks/cache/RISKS.md': Array.from(
          { length: 40 },
          (_, at) => `- Risk: a risk ${at}\n  - Severity: high\n`,
        ).join(''),
        'ORCHESTRATION.yaml':
          'workflow:\n  id: w\n  status: ACTIVE\nresumption:\n  updated_at: "2026-01-01T00:00:00Z"\n',
      },
    });
    host.append(request(`Port it. ${'and then the next thing '.repeat(60)}`), answer(90_000, { id: 'm1' }));
    host.fire('UserPromptSubmit');
    host.fire('Stop', { last_assistant_message: 'long words '.repeat(200) });
    host.fire('SessionEnd', { reason: 'clear' });
    const context = host.fire('SessionStart', {
      source: 'startup',
      session_id: '1f6e3a52-1111-4222-8333-444455556666',
    }).context;
    for (const tag of ['project', 'quality', 'track', 'resumption'])
      expect(context).toContain(`</${tag}-context>`);
    expect(estimateTokens(context)).toBeLessThanOrEqual(BUDGETS.start);
    expect(failures(host)).toBe('');
  });
});

describe('a resume', () => {
  function talk(): Host {
    const host = newHost({ files: FILES });
    start(host, 'startup');
    host.append(request('Go'), answer(30_000, { id: 'm1' }));
    host.fire('UserPromptSubmit');
    return host;
  }

  test('says nothing while all is as it was told, and says what has changed', () => {
    const host = talk();
    expect(start(host, 'resume')).toBe('');
    write(host, 'docs/tracks/cache/PLAN.md', PLAN.replace('[~]', '[x]'));
    expect(start(host, 'resume')).toContain('- [x] Task: [T-2] Write the cache');
    expect(start(host, 'resume')).toBe('');
    write(host, 'docs/tracks/ACTIVE_TRACK', 'other\n');
    expect(start(host, 'resume')).toContain('TRACK: other');
  });

  test('tells a session that began before there was a track', () => {
    const host = newHost();
    start(host, 'startup');
    host.append(request('Go'), answer(30_000, { id: 'm1' }));
    host.fire('UserPromptSubmit');
    for (const [name, text] of Object.entries(FILES)) write(host, name, text);
    expect(start(host, 'resume')).toContain('TRACK: cache');
  });

  test('of another session (a fork) says nothing: its transcript holds it', () => {
    const host = talk();
    expect(
      host.fire('SessionStart', { source: 'fork', session_id: '2f6e3a52-1111-4222-8333-444455556666' })
        .context,
    ).toBe('');
  });
});
