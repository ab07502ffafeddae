// Tests that our hooks stand among those of others in Codex's file, whose bytes stay, and that doctor knows whether they are trusted.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CODEX_HOOKS } from '../../src/hosts/codex/hooks.ts';
import { type Host, newHost } from '../hooks/host.ts';
import { data, run } from './healthy.ts';

const folderOf = (host: Host): string => path.join(host.env.HOME ?? '', '.codex');
const fileOf = (host: Host): string => path.join(folderOf(host), 'hooks.json');
const call = (host: Host, ...args: string[]) => run(host, ...args, '--host', 'codex');

/** What Codex notes of hooks that the person trusts. */
function trust(host: Host): void {
  const tables = CODEX_HOOKS.map((event) => {
    const key = event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    return `[hooks.state."${fileOf(host)}:${key}:0:0"]\ntrusted_hash = "sha256:00"\n`;
  });
  writeFileSync(path.join(folderOf(host), 'config.toml'), `model = "gpt-5.5"\n\n${tables.join('\n')}`);
}

test('doctor says that hooks are not trusted, until the person trusts them; they go with their file', () => {
  const host = newHost();
  const said = call(host, 'init', '--yes');
  expect(said).toMatchObject({ code: 0, stderr: '' });
  expect(said.stdout).toMatch(/registered with Codex [\s\S]*Codex does not run it yet\. .* with \/hooks/);
  const untrusted = run(host, 'doctor').stdout;
  expect(untrusted).toMatch(
    /Codex +does not trust, and so does not run: UserPromptSubmit, [\s\S]*Next: .*\/hooks/,
  );
  trust(host);
  expect(JSON.parse(call(host, 'init', '--yes', '--json').stdout)).toMatchObject({
    changed: false,
    untrusted: [],
  });
  expect(call(host, 'init', '--yes').stdout).toMatch(/is on in Codex [\s\S]*New sessions have it at once/);
  expect(run(host, 'doctor', '--all').stdout).toMatch(/ok +Codex +loads us from ~\/\.codex/);
  expect(call(host, 'uninstall', '--yes').stdout).toContain('and its bundle with it');
  expect([existsSync(fileOf(host)), existsSync(data(host))]).toEqual([false, false]);
});

const OTHERS =
  '{\n\t"description" : "mine",\n\t"hooks": { "Stop": [ {"hooks":[{"type":"command","command":"say done"}]} ],\n\n\t\t"Interrupt": [] }\n}';

test.each([OTHERS, '{}\n', '{ "hooks": {} }'])(
  'the bytes of others stay while ours are there: %j',
  (before) => {
    const host = newHost();
    mkdirSync(folderOf(host), { recursive: true });
    writeFileSync(fileOf(host), before);
    expect(call(host, 'init', '--yes').code).toBe(0);
    const text = readFileSync(fileOf(host), 'utf8');
    // Theirs stand first: Codex knows a trusted hook by its place.
    if (before === OTHERS)
      expect(text).toContain('\t"description" : "mine",\n\t"hooks": { "Stop": [ {"hooks":[');
    expect(call(host, 'uninstall', '--yes').code).toBe(0);
    expect(readFileSync(fileOf(host), 'utf8')).toBe(before);
  },
);

test('where the file was changed meanwhile, ours alone are taken out', () => {
  const host = newHost();
  mkdirSync(folderOf(host), { recursive: true });
  writeFileSync(fileOf(host), OTHERS);
  expect(call(host, 'init', '--yes').code).toBe(0);
  writeFileSync(fileOf(host), readFileSync(fileOf(host), 'utf8').replace('"mine"', '"still mine"'));
  expect(call(host, 'uninstall', '--yes').code).toBe(0);
  expect(readFileSync(fileOf(host), 'utf8')).toBe(OTHERS.replace('"mine"', '"still mine"'));
});

test('a file whose hooks are no hooks is left alone', () => {
  const host = newHost();
  mkdirSync(folderOf(host), { recursive: true });
  writeFileSync(fileOf(host), '{ "hooks": [] }');
  const { code, stderr } = call(host, 'init', '--yes');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/hooks\.json": "hooks": a JSON object is expected/),
  ]);
  expect(readFileSync(fileOf(host), 'utf8')).toBe('{ "hooks": [] }');
});
