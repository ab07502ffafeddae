// A sandbox for a test's client, which sees nothing of this machine and leaves nothing behind.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sandboxPath } from './programs.ts';
import type { Script } from './script.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

export type Settings = Record<string, unknown>;
export type SettingsScope = 'project' | 'local' | 'user';

export type SandboxOptions = {
  script: Script;
  /** The project's .claude/settings.json. */
  settings?: Settings;
  /** The project's .claude/settings.local.json. */
  localSettings?: Settings;
  /** Added to the built environment. */
  env?: Record<string, string>;
  projectName?: string;
  /** Make the project a repository with everything in it committed. */
  git?: boolean;
  /** Path in the project -> content. */
  files?: Record<string, string>;
  /** Another client than the one the suite installed, for instance an older version. */
  client?: string;
};

export type Sandbox = {
  root: string;
  home: string;
  configDir: string;
  projectDir: string;
  env: Record<string, string>;
  model: ScriptedModel;
  client?: string;
  writeSettings(settings: Settings, scope?: SettingsScope): void;
  /** The transcripts of main sessions, oldest first; those of subagents lie deeper. */
  transcripts(): string[];
  /** The parsed lines of one transcript, or of all of `transcripts()`. */
  transcriptLines(file?: string): Record<string, unknown>[];
  /** Something to end before the folders go: every process that was started here. */
  beforeClose(end: () => Promise<unknown>): void;
  close(): Promise<void>;
};

// The client asks about keys it does not know; it remembers the answer by the key's last 20 characters.
const dummyKey = 'sk-not-a-key-plimsoll-sandbox';

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  // Short, because sockets lie below it and their paths may not exceed about 100 characters; real, because the
  // client compares its physical working folder with the one that was trusted.
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'pl-')));
  const home = path.join(root, 'home');
  const configDir = path.join(home, '.claude');
  const projectDir = path.join(root, 'work', options.projectName ?? 'project');
  const model = await startScriptedModel(options.script);
  const env = { ...environment(root, home, configDir, model.url), ...options.env };
  for (const folder of [configDir, path.join(projectDir, '.claude'), path.join(root, 't')]) {
    mkdirSync(folder, { recursive: true });
  }
  const settingsFiles: Record<SettingsScope, string> = {
    project: path.join(projectDir, '.claude', 'settings.json'),
    local: path.join(projectDir, '.claude', 'settings.local.json'),
    user: path.join(configDir, 'settings.json'),
  };
  const endings: (() => Promise<unknown>)[] = [];
  const sandbox: Sandbox = {
    root,
    home,
    configDir,
    projectDir,
    env,
    model,
    ...(options.client === undefined ? {} : { client: options.client }),
    writeSettings: (settings, scope = 'project') => writeJson(settingsFiles[scope], settings),
    transcripts: () => mainTranscripts(path.join(configDir, 'projects')),
    transcriptLines: (file) => (file ? [file] : sandbox.transcripts()).flatMap(parsedLines),
    beforeClose: (end) => void endings.push(end),
    async close() {
      // Settled, not all: what cannot be ended must not keep the folders from going.
      await Promise.allSettled(endings.map((end) => end()));
      try {
        await model.close();
      } finally {
        // Repeated, because a hook in the background may still be writing.
        await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      }
    },
  };

  try {
    furnish(sandbox, options);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  return sandbox;
}

function furnish(sandbox: Sandbox, options: SandboxOptions) {
  const { configDir, projectDir, env } = sandbox;
  writeJson(path.join(configDir, '.claude.json'), answeredDialogs(projectDir));
  if (options.settings) sandbox.writeSettings(options.settings);
  if (options.localSettings) sandbox.writeSettings(options.localSettings, 'local');
  for (const [name, content] of Object.entries(options.files ?? {})) {
    mkdirSync(path.dirname(path.join(projectDir, name)), { recursive: true });
    writeFileSync(path.join(projectDir, name), content);
  }
  if (options.git) initRepository(projectDir, env);
}

/** Built from nothing: variables of an agent that runs these tests, or of this machine, must not leak in. */
function environment(root: string, home: string, configDir: string, url: string): Record<string, string> {
  return {
    PATH: sandboxPath(),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    HOME: home,
    CLAUDE_CONFIG_DIR: configDir,
    TMPDIR: path.join(root, 't'),
    // Without it the client writes to a folder of its own under /tmp.
    CLAUDE_CODE_TMPDIR: path.join(root, 't'),
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_STATE_HOME: path.join(home, '.local', 'state'),
    XDG_DATA_HOME: path.join(home, '.local', 'share'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    ANTHROPIC_API_KEY: dummyKey,
    ANTHROPIC_BASE_URL: url,
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

/** With CLAUDE_CONFIG_DIR set, the client keeps what was answered once in <config>/.claude.json. */
function answeredDialogs(projectDir: string) {
  return {
    numStartups: 3,
    theme: 'dark',
    hasCompletedOnboarding: true,
    lastOnboardingVersion: '99.0.0',
    autoUpdates: false,
    customApiKeyResponses: { approved: [dummyKey.slice(-20)], rejected: [] },
    projects: {
      [projectDir]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] },
    },
  };
}

function initRepository(folder: string, env: Record<string, string>) {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Sandbox');
  git('config', 'user.email', 'sandbox@localhost');
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message=start');
}

function mainTranscripts(projects: string): string[] {
  if (!existsSync(projects)) return [];
  return readdirSync(projects)
    .flatMap((slug) => readdirSync(path.join(projects, slug)).map((name) => path.join(projects, slug, name)))
    .filter((file) => file.endsWith('.jsonl') && !path.basename(file).startsWith('agent-'))
    .sort((a, b) => statSync(a).birthtimeMs - statSync(b).birthtimeMs);
}

function parsedLines(file: string): Record<string, unknown>[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function writeJson(file: string, value: unknown) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
