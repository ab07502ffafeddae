// Tests that init wraps the status line that was there, and that uninstall restores that one to the byte.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { some } from '../kit/effort.ts';
import { init, local, run } from './healthy.ts';
import { json, lineIn, OURS, read, type StatusLine, shown, write } from './status-lines.ts';

// [what stands in the settings, their text, what their status line shows]
const settings: [string, string | null, string][] = [
  ['no file', null, ''],
  ['an empty object', '{}\n', ''],
  ['other settings', json({ model: 'opus', permissions: { allow: [] } }), ''],
  ['a status line', json({ statusLine: { type: 'command', command: 'echo "[mine]"' } }), '[mine]\n'],
  [
    'one with other keys, between others',
    json({
      a: 1,
      statusLine: { type: 'command', command: 'echo x', padding: 2, refreshInterval: 5 },
      z: [1, 2],
    }),
    'x\n',
  ],
  [
    'one on a line of its own style',
    `{"statusLine":{"command":"echo \\u0041\\/b","type":"command"} , "b":1}`,
    'A/b\n',
  ],
  ['tabs and CRLF', '{\r\n\t"statusLine": {\r\n\t\t"command": "echo x"\r\n\t}\r\n}\r\n', 'x\n'],
  [
    'quotes of all kinds',
    json({ statusLine: { command: `printf '%s' 'it'\\''s "q" $HOME' \`echo "b"\`` } }),
    `it's "q" $HOMEb`,
  ],
  ['several lines of shell', json({ statusLine: { command: "a='1'\necho \"$a\" # '\n" } }), '1\n'],
  ['a BOM', `\uFEFF${json({ statusLine: { command: 'echo x' } })}`, 'x\n'],
  ['null', json({ statusLine: null }), ''],
  ['an empty command', json({ statusLine: { type: 'command', command: '' } }), ''],
  ['something odd', json({ statusLine: ['x'] }), ''],
];

describe('init --statusline', () => {
  test.each(some(settings, 4))(
    '%s: shows both, changes nothing when run again, and uninstall is byte-identical',
    (_, text, theirs) => {
      const host = newHost();
      if (text !== null) write(local(host), text);
      const first = init(host, '--statusline');
      expect(`${first.code} ${first.stderr}`).toBe('0 ');
      const clean = (file: string): string => read(file).replace(/^\uFEFF/, '');
      const { statusLine, ...rest } = JSON.parse(clean(local(host))) as {
        statusLine: StatusLine;
        hooks: unknown;
      };
      const before = JSON.parse(text?.replace(/^\uFEFF/, '') ?? '{}') as { statusLine?: StatusLine | null };
      if (theirs !== '') expect(statusLine).toEqual({ ...before.statusLine, command: statusLine.command });
      else expect(statusLine.type).toBe('command');
      const { statusLine: _theirs, ...others } = before;
      expect(rest).toEqual({ ...others, hooks: expect.anything() });

      write(local(host), clean(local(host)));
      const both = shown(host, local(host));
      expect(both).toBe(theirs === '' ? OURS : `${theirs.trimEnd()}\n${OURS}`);
      if (text?.startsWith('\uFEFF')) write(local(host), `\uFEFF${read(local(host))}`);

      const after = read(local(host));
      expect(init(host, '--statusline').stdout).toContain('Already installed');
      expect(init(host).stdout).toContain('Already installed');
      expect(read(local(host))).toBe(after);

      expect(run(host, 'uninstall', '--yes').code).toBe(0);
      if (text === null) expect(existsSync(path.dirname(local(host)))).toBe(false);
      else expect(read(local(host))).toBe(text);
    },
  );

  test('hooks first, the status line later: uninstall gives back what was there before both', () => {
    const host = newHost();
    const text = '{ "statusLine" : {"command":"echo \\u0041", "type":"command"},\n\n "x": 1 }';
    write(local(host), text);
    init(host);
    expect(lineIn(local(host)).command).toBe('echo A');
    const hooked = read(local(host));
    const result = init(host, '--statusline');
    expect(result.stdout).toMatch(
      /^Status line to add to .*:\n {2}\+ status line, below the present one: echo A$/m,
    );
    expect(read(local(host))).not.toBe(hooked);
    run(host, 'uninstall', '--yes');
    expect(read(local(host))).toBe(text);
  });

  test('somebody edits in between: theirs comes back, and the edit stays', () => {
    const host = newHost();
    write(local(host), json({ statusLine: { type: 'command', command: 'echo x', padding: 1 } }));
    init(host, '--statusline');
    const edited = JSON.parse(read(local(host))) as { statusLine: StatusLine; model?: string };
    edited.model = 'opus';
    edited.statusLine.padding = 0;
    write(local(host), json(edited));
    run(host, 'uninstall', '--yes');
    expect(JSON.parse(read(local(host)))).toEqual({
      statusLine: { type: 'command', command: 'echo x', padding: 0 },
      model: 'opus',
    });
  });

  test('somebody puts another one in its place: that one stays', () => {
    const host = newHost();
    init(host, '--statusline');
    const edited = JSON.parse(read(local(host))) as { statusLine: StatusLine };
    edited.statusLine = { type: 'command', command: 'echo new' };
    write(local(host), json(edited));
    expect(init(host).stdout).toContain('Already installed');
    expect(lineIn(local(host)).command).toBe('echo new');
    run(host, 'uninstall', '--yes');
    expect(JSON.parse(read(local(host)))).toEqual({ statusLine: { type: 'command', command: 'echo new' } });
  });

  test('one that was written by hand stays', () => {
    const host = newHost();
    const command = "plimsoll statusline --wrap 'echo x'";
    write(local(host), json({ statusLine: { type: 'command', command } }));
    expect(init(host, '--statusline').stdout).toContain('written by hand');
    expect(lineIn(local(host)).command).toBe(command);
    run(host, 'uninstall', '--yes');
    expect(lineIn(local(host)).command).toBe(command);
  });

  test('without the bundle, or without Node, theirs is shown alone', () => {
    const host = newHost();
    write(local(host), json({ statusLine: { command: 'echo x; read -r all; echo "${all%%:*}"' } }));
    init(host, '--statusline');
    expect(shown(host, local(host))).toBe(`x\n{"session_id"\n${OURS}`);
    rmSync(path.join(host.env.XDG_DATA_HOME ?? '', 'plimsoll'), { recursive: true });
    expect(shown(host, local(host))).toBe('x\n{"session_id"\n');
    const alone = newHost();
    init(alone, '--statusline');
    rmSync(path.join(alone.env.XDG_DATA_HOME ?? '', 'plimsoll'), { recursive: true });
    expect(shown(alone, local(alone))).toBe('');
  });

  test('NODE_EXTRA_CA_CERTS is emptied for ours and kept for theirs', () => {
    const host = newHost();
    write(local(host), json({ statusLine: { command: 'echo "${NODE_EXTRA_CA_CERTS-none}"' } }));
    init(host, '--statusline');
    expect(shown(host, local(host), { NODE_EXTRA_CA_CERTS: '/my ca.pem' })).toBe(`/my ca.pem\n${OURS}`);
    expect(shown(host, local(host))).toBe(`none\n${OURS}`);
  });

  test('--dry-run and --json say what would change, and change nothing', () => {
    const host = newHost();
    const text = json({ statusLine: { command: 'echo x' } });
    write(local(host), text);
    expect(init(host, '--statusline', '--dry-run').stdout).toContain(
      '+ status line, below the present one: echo x',
    );
    const data = JSON.parse(init(host, '--statusline', '--dry-run', '--json').stdout) as Record<
      string,
      unknown
    >;
    expect(data.status_line).toMatchObject({ changed: true, wraps: 'echo x' });
    expect(read(local(host))).toBe(text);
  });
});

describe('init without --statusline', () => {
  test.each([
    [json({}), '"plimsoll init --statusline" shows the context usage below the prompt as well.'],
    [
      json({ statusLine: { command: 'echo x' } }),
      '"plimsoll init --statusline" shows the context usage below the prompt as well, under the status line that you have.',
    ],
  ])('%s: tells of it, and changes no status line', (text, expected) => {
    const host = newHost();
    write(local(host), text);
    expect(init(host).stdout).toContain(expected);
    expect((JSON.parse(read(local(host))) as { statusLine?: unknown }).statusLine).toEqual(
      (JSON.parse(text) as { statusLine?: unknown }).statusLine,
    );
  });

  test('brings one of an earlier form up to date', () => {
    const host = newHost();
    write(local(host), json({ statusLine: { command: 'echo x' } }));
    init(host, '--statusline');
    const now = read(local(host));
    write(local(host), now.replaceAll(process.execPath, '/old/node'));
    expect(init(host).stdout).toContain('~ status line, below the present one: echo x');
    expect(read(local(host))).toBe(now);
    run(host, 'uninstall', '--yes');
    expect(JSON.parse(read(local(host)))).toEqual({ statusLine: { command: 'echo x' } });
  });
});
test('doctor knows it, and says when there is nothing behind it', () => {
  const host = newHost();
  expect(run(host, 'doctor').stdout).not.toContain('status line');
  write(local(host), json({ statusLine: { command: 'echo x' } }));
  init(host, '--statusline');
  expect(run(host, 'doctor', '--all').stdout).toMatch(
    /^ok +status line +in \.claude\/settings\.local\.json, below that of: echo x$/m,
  );
  rmSync(path.join(host.env.XDG_DATA_HOME ?? '', 'plimsoll', 'current', 'statusline.cjs'));
  expect(run(host, 'doctor').stdout).toMatch(/^ERROR +status line +.*; the other one is shown alone$/m);
});

test('in a terminal it says who starts it', () => {
  const host = newHost();
  const { stdout } = run(host, 'statusline', '--help');
  expect(stdout).toContain('plimsoll init --statusline');
});
