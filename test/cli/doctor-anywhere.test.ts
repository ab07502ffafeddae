// Tests that doctor works anywhere, with anything broken.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, newHost, SESSION, userState } from '../hooks/host.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { type Report, write } from './doctor.ts';
import { data, local } from './healthy.ts';

describe('anywhere, with anything broken', () => {
  const everything: [string, (host: Host) => void][] = [
    ['nothing at all', () => {}],
    ['the home folder', (host) => moveTo(host, host.env.HOME ?? '')],
    ['the top of the file system', (host) => moveTo(host, '/')],
    [
      'a project that is gone',
      (host) => {
        host.env.CLAUDE_PROJECT_DIR = path.join(host.root, 'gone');
      },
    ],
    [
      'no PATH',
      (host) => {
        host.env.PATH = host.root;
      },
    ],
    [
      'no HOME',
      (host) => {
        delete host.env.HOME;
      },
    ],
    [
      'settings files that are folders',
      (host) => {
        for (const name of ['settings.json', 'settings.local.json']) {
          mkdirSync(path.join(host.project, '.claude', name), { recursive: true });
          mkdirSync(path.join(host.env.HOME ?? '', '.claude', name), { recursive: true });
        }
      },
    ],
    [
      'settings of odd shapes',
      (host) => {
        write(local(host), { hooks: { Stop: [null, { hooks: 7 }, { hooks: [null, 'x'] }], PreCompact: 3 } });
        write(path.join(host.project, '.claude', 'settings.json'), '[]');
        write(path.join(host.env.HOME ?? '', '.claude', 'settings.json'), {
          enabledPlugins: 7,
          disableAllHooks: 'x',
        });
        write(path.join(host.env.HOME ?? '', '.claude.json'), { projects: [1] });
      },
    ],
    [
      'garbage in every file of ours',
      (host) => {
        for (const name of [
          'config.toml',
          'config.snapshot.json',
          'failures.jsonl',
          'off',
          '.gitignore',
          `sessions/${SESSION}/state.json`,
          `sessions/${SESSION}/runs`,
          'checkpoints/cx-001-checkpoint.json',
          'checkpoints/cx-001-checkpoint.json.acknowledged',
        ]) {
          write(host.state(name), '\0\u00ff{"torn');
        }
        for (const name of ['installs.json', 'compaction-points.json', 'failures.jsonl'])
          write(path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', name), 'null');
        write(path.join(data(host), 'current'), 'a file');
      },
    ],
    [
      'folders where files should be',
      (host) => {
        for (const name of [
          'config.toml',
          'config.snapshot.json',
          'failures.jsonl',
          `sessions/${SESSION}/state.json`,
          `sessions/${SESSION}/runs`,
          'checkpoints/cx-001-checkpoint.json',
        ])
          mkdirSync(host.state(name), { recursive: true });
        mkdirSync(path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'installs.json'), { recursive: true });
      },
    ],
    [
      'files where folders should be',
      (host) => {
        for (const name of ['sessions', 'checkpoints']) write(host.state(name), 'x');
        rmSync(userState(host), { recursive: true });
        write(userState(host), 'x');
        write(path.join(host.project, '.claude'), 'x');
      },
    ],
    [
      'a transcript that is a folder',
      (host) => {
        const folder = host.project.replace(/[^A-Za-z0-9]/g, '-');
        mkdirSync(path.join(host.env.HOME ?? '', '.claude', 'projects', folder, `${SESSION}.jsonl`), {
          recursive: true,
        });
      },
    ],
    ['broken git', (host) => write(path.join(host.project, '.git', 'HEAD'), 'nonsense')],
  ];

  function moveTo(host: Host, folder: string): void {
    host.project = folder;
    delete host.env.CLAUDE_PROJECT_DIR;
  }

  test.each(everything)('%s: findings, no crash, in both forms', (_name, breakIt) => {
    const host = newHost();
    breakIt(host);
    const folder = existsSync(host.project) ? host.project : host.root;
    for (const args of [['doctor'], ['doctor', '--json'], ['doctor', '--json', '--session', SESSION]]) {
      const result = plimsoll({ projectDir: folder, env: host.env }, ...args);
      expect([args, result.stderr]).toEqual([args, '']);
      expect([0, 1]).toContain(result.code);
      expect(result.stdout).not.toContain('please report it');
      if (!args.includes('--json')) continue;
      const { findings } = JSON.parse(result.stdout) as Report;
      expect(findings.length).toBeGreaterThan(3);
      expect(result.code).toBe(findings.some((each) => each.level === 'error') ? 1 : 0);
      for (const each of findings.filter(({ level }) => level === 'error')) expect(each.fix).toBeTruthy();
    }
  });
});
