// Tests that purge removes only what our own record names: no data of a project, nothing behind a link.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cloneOf, publish } from '../hooks/cloned.ts';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { run } from './healthy.ts';

/** A session that has ended, and left a checkpoint, a stream and claims. */
function worked(host: Host): void {
  host.append(request('go'), answer(140_000));
  host.fire('SessionStart', { source: 'startup' });
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.fire('PreCompact', { trigger: 'manual', custom_instructions: null });
  host.fire('SessionEnd', { reason: 'other' });
}

const purgeAll = (host: Host): void => {
  const { code, stderr } = run(host, 'delete', '--all', '--yes');
  expect([code, stderr]).toEqual([0, '']);
};

test('the data of a cloned project stays, wherever its settings say that our state lies', () => {
  const files = {
    '.plimsoll/config.toml': 'state_dir = "data"\n',
    'data/events/sales.csv': 'a,b\n',
    'data/sessions/2026/events.jsonl': '{}\n',
    'data/sessions/support/state.json': '{"session_id":"support"}',
    'data/checkpoints/cx-001-checkpoint.json': '{}',
    '.plimsoll/sessions/sales/events.jsonl': '{}\n',
    '.plimsoll/state-0123456789abcdef01234567/sessions/sales/events.jsonl': '{}\n',
  };
  const origin = newHost({ files });
  publish(origin);
  const host = cloneOf(origin);
  worked(host);
  purgeAll(host);
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(path.join(host.project, name), 'utf8'), name).toBe(text);
});

test('in our own folders a file and a link stay, and what is linked; the folder of a session goes whole', () => {
  const host = newHost();
  worked(host);
  const diary = path.join(host.env.HOME ?? '', 'diary');
  mkdirSync(diary);
  writeFileSync(path.join(diary, 'state.json'), 'Dear diary\n');
  const others = ['sessions/notes.md', 'checkpoints/plan.json', 'readme'];
  for (const name of others) writeFileSync(host.state(name), 'mine');
  symlinkSync(diary, host.state('sessions', 'linked'));
  symlinkSync(diary, host.state('sessions', SESSION, 'link'));
  mkdirSync(host.state('sessions', SESSION, 'deep', 'down'), { recursive: true });
  purgeAll(host);
  expect(readFileSync(path.join(diary, 'state.json'), 'utf8')).toBe('Dear diary\n');
  expect(others.filter((name) => !existsSync(host.state(name)))).toEqual([]);
  expect(readdirSync(host.state('sessions')).sort()).toEqual(['linked', 'notes.md']);
});

test.each(['sessions', 'checkpoints', `sessions/${SESSION}`])(
  'nothing behind a link in place of %s',
  (name) => {
    const host = newHost();
    worked(host);
    const elsewhere = path.join(host.env.HOME ?? '', 'diary');
    renameSync(host.state(name), elsewhere);
    symlinkSync(elsewhere, host.state(name));
    const before = readdirSync(elsewhere);
    expect(before).not.toEqual([]);
    run(host, 'delete', '--all', '--yes');
    run(host, 'gc', '--yes');
    host.fire('SessionStart', { source: 'startup' });
    host.fire('SessionEnd', { reason: 'other' });
    expect(readdirSync(elsewhere)).toEqual(before);
  },
);
