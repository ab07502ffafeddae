// Tests that clients which are no hosts of ours go on as without us where they load our plugin, or what `plimsoll init` has written.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { copilotEnv } from '../hosts/copilot-driver.ts';
import { installProgram, type OtherClient } from '../hosts/drivers.ts';
import { createHostSandbox, type HostSandbox } from '../hosts/sandbox.ts';
import { DIST, failures, plimsoll } from '../kit/plimsoll.ts';
import { contentText, lastText } from '../kit/request-body.ts';
import { ofKind, textOf } from '../kit/requests.ts';
import type { Turn } from '../kit/script.ts';

type With = 'nothing of ours' | 'our plugin' | 'our hooks';

interface Client {
  env: (url: string, program: string) => Record<string, string>;
  /** Lets it ask the scripted model alone. */
  configure?: (home: string, url: string) => void;
  /** What it is called with to load our plugin; commands that install it come first, each its own call. */
  plugin: (sandbox: HostSandbox) => { install: string[][]; load: string[] };
  ask: string[];
  run: (command: string) => NonNullable<Turn['tools']>[number];
  /** Usage above which it compacts. */
  limit: number;
  /** Says of the last words of a request that they ask for a summary. */
  summary: RegExp;
}

const write = (file: string, value: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
};

/** A marketplace with our plugin, as a checkout is one. */
function makeMarketplace({ root }: HostSandbox): string {
  const folder = path.join(root, 'market');
  const list = fileURLToPath(new URL('../../.claude-plugin', import.meta.url));
  cpSync(list, path.join(folder, '.claude-plugin'), { recursive: true });
  cpSync(path.join(DIST, 'plugin'), path.join(folder, 'dist', 'plugin'), { recursive: true });
  return folder;
}

const CLIENTS: Record<OtherClient, Client> = {
  copilot: {
    env: (url, program) => copilotEnv(program, url, 40_000),
    plugin: () => ({ install: [], load: ['--plugin-dir', path.join(DIST, 'plugin')] }),
    ask: ['--allow-all-tools', '--trust-folder', '-p'],
    run: (command) => ({ name: 'bash', input: { command } }),
    limit: 32_000,
    summary: /write the summary now/,
  },
  droid: {
    env: (url) => ({ FACTORY_API_KEY: 'fk-none', FACTORY_API_BASE_URL: url }),
    configure: (home, baseUrl) => {
      const model = { model: 'scripted', displayName: 'scripted', provider: 'anthropic', apiKey: 'sk-none' };
      const customModels = [{ ...model, baseUrl, maxOutputTokens: 2_000 }];
      write(path.join(home, '.factory', 'settings.json'), { customModels, compactionTokenLimit: 12_000 });
    },
    plugin: (sandbox) => ({
      install: [
        ['plugin', 'marketplace', 'add', makeMarketplace(sandbox)],
        ['plugin', 'install', 'plimsoll@market'],
      ],
      load: [],
    }),
    ask: ['exec', '--auto', 'high', '-m', 'custom:scripted-0'],
    run: (command) => ({
      name: 'Execute',
      input: { command, riskLevel: 'low', riskLevelReason: 'a step', summary: 'a step' },
    }),
    limit: 12_000,
    summary: /<summary> tags/,
  },
  cline: {
    // Without a daemon that stays.
    env: () => ({ CLINE_SESSION_BACKEND_MODE: 'local' }),
    configure: (home, url) => {
      const model = { provider: 'anthropic', model: 'claude-sonnet-4-5', apiKey: 'sk-none' };
      const anthropic = {
        settings: { ...model, baseUrl: `${url}/v1` },
        ...{ updatedAt: '2026-11-01T00:00:00.000Z', tokenSource: 'manual' },
      };
      const file = path.join(home, '.cline', 'data', 'settings', 'providers.json');
      write(file, { version: 1, lastUsedProvider: 'anthropic', modes: {}, providers: { anthropic } });
    },
    plugin: () => ({ install: [['plugin', 'install', path.join(DIST, 'plugin')]], load: [] }),
    ask: [],
    run: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
    limit: 180_000,
    summary: /summar(?:y|ize)/i,
  },
};

interface Ended {
  code: number | null;
  output: string;
}

function call(program: string, args: readonly string[], { projectDir, env }: HostSandbox): Promise<Ended> {
  const child = spawn(program, args, { cwd: projectDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

/** The files below a folder, with what they hold; not what git keeps. */
function readBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((file) => file.isFile() && !file.parentPath.split(path.sep).includes('.git'))
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );
}

const CONFIG = '[guardrails]\nmode = "enforce"\n\n[guardrails.paths]\nprotected = ["dist/**"]\n';

/** A session with tool calls and a compaction: how it ended, and what the model was asked. */
async function runSession(name: OtherClient, how: With) {
  const client = CLIENTS[name];
  const program = await installProgram(name);
  const at = (share: number): number => Math.round(client.limit * share);
  const steps = [0.2, 0.4, 0.75, 1.1, 0.3].map(
    (share, step): Turn => ({ tools: [client.run(`echo step${step}`)], fill: at(share) }),
  );
  const sandbox = await createHostSandbox({
    script: { main: [...steps, { text: 'all is done', fill: at(0.35) }] },
    files: { 'a.txt': 'a\n', '.plimsoll/config.toml': CONFIG },
    kindOf: (body) =>
      client.summary.test(lastText(body)) || contentText(body.system).startsWith('You summarize')
        ? 'summary'
        : 'main',
  });
  onTestFinished(() => sandbox.close());
  Object.assign(sandbox.env, client.env(sandbox.model.url, program));
  client.configure?.(sandbox.home, sandbox.model.url);
  let args: string[] = [];
  if (how === 'our plugin') {
    const { install, load } = client.plugin(sandbox);
    for (const each of install) {
      const { code, output } = await call(program, each, sandbox);
      expect({ code, output }).toMatchObject({ code: 0 });
    }
    args = load;
  }
  if (how === 'our hooks') {
    const { code } = plimsoll(sandbox, 'init', '--yes', '--client-version', '2.1.332');
    expect(code).toBe(0);
    const settings = path.join(sandbox.projectDir, '.claude', 'settings.local.json');
    expect(readFileSync(settings, 'utf8')).toContain('PreToolUse');
  }
  const folders = [sandbox.projectDir, path.join(sandbox.home, '.local', 'state')];
  const before = folders.map(readBelow);
  const { code, output } = await call(program, [...args, ...client.ask, 'Bind the atlas'], sandbox);
  expect(folders.map(readBelow)).toEqual(before);
  expect(failures(sandbox)).toEqual([]);
  const { requests } = sandbox.model;
  return {
    code,
    // Without times and ids, which differ from run to run.
    output: output.replaceAll(sandbox.root, '').replace(/[\da-f-]{36}|\d+(?:\.\d+)?m?s\b/g, '#'),
    asked: ofKind(requests, 'main').length,
    summaries: ofKind(requests, 'summary').length,
    all: requests.map(textOf).join('\n'),
  };
}

const OURS =
  /Plimsoll: |Facts to keep|<(?:context-monitor|compaction-alert|resumption-context|project-context)/;

test.each(Object.keys(CLIENTS) as OtherClient[])(
  '%s goes on as without us, with our plugin and with our hooks',
  async (name) => {
    const { all: _, ...bare } = await runSession(name, 'nothing of ours');
    expect(bare).toMatchObject({ code: 0, asked: 6, output: expect.stringContaining('all is done') });
    if (name !== 'cline') expect(bare.summaries).toBe(1);
    for (const how of ['our plugin', 'our hooks'] as const) {
      const { all, ...run } = await runSession(name, how);
      expect({ how, ...run }).toEqual({ how, ...bare });
      for (const step of [0, 1, 2, 3, 4]) expect(all).toMatch(RegExp(`step${step}(?:\n|\\\\n)`));
      expect(all).not.toMatch(OURS);
    }
  },
);
