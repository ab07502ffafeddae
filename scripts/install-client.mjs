// Finds the real clients of the hosts in .cache/, each of a given version, and installs them there if need be.
// node scripts/install-client.mjs [VERSION] prints the absolute path of its binary.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version the tests are written against. */
export const CLIENT_VERSION = '2.1.332';

const PLATFORM = `${process.platform}-${process.arch}`;
/** Codex names its folders after the target that it was built for. */
const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const TRIPLE = `${MACHINE}-${process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl'}`;

/** The other hosts that tests run, each at the version that they are written against. */
export const HOST_PACKAGES = {
  pi: {
    spec: '@earendil-works/pi-coding-agent@1.6.0',
    program: 'node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js',
    // It asks for a newer Node than may run npm here; the tests bring it one.
    flags: ['--force'],
  },
  // By the platform's own package: the wrapper and it may differ in a mirror of the registry.
  opencode: {
    spec: `opencode-${PLATFORM}@1.18.33`,
    program: `node_modules/opencode-${PLATFORM}/bin/opencode`,
  },
  codex: {
    spec: `@openai/codex@0.171.0-${PLATFORM}`,
    program: `node_modules/@openai/codex/vendor/${TRIPLE}/bin/codex`,
  },
  kilo: {
    spec: `@kilocode/cli-${PLATFORM}@7.7.9`,
    program: `node_modules/@kilocode/cli-${PLATFORM}/bin/kilo`,
  },
  copilot: {
    spec: `@github/copilot-${PLATFORM}@1.0.102`,
    program: `node_modules/@github/copilot-${PLATFORM}/copilot`,
  },
  droid: {
    spec: `@factory/cli-${PLATFORM}@0.225.2`,
    program: `node_modules/@factory/cli-${PLATFORM}/bin/droid`,
  },
  cline: {
    spec: `@cline/cli-${PLATFORM}@3.0.65`,
    program: `node_modules/@cline/cli-${PLATFORM}/bin/cline`,
  },
};

const cacheFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '.cache');

/**
 * The client is third-party software under its own licence, so it is fetched on demand and never kept in git.
 * @param {string} [version]
 * @returns {Promise<string>} the absolute path of the binary
 */
export function installClient(version = CLIENT_VERSION) {
  // The version becomes a folder name and part of a package spec: nothing but a plain version may pass.
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`not a client version: ${JSON.stringify(version)}`);
  return installInto(path.join('claude', version), {
    spec: `@anthropic-ai/claude-code@${version}`,
    program: path.join('node_modules', '.bin', 'claude'),
    check: (binary) => checkRuns(binary, version),
  });
}

/**
 * The same for another host.
 * @param {keyof typeof HOST_PACKAGES} name
 * @returns {Promise<string>} the absolute path of its program
 */
export function installHost(name) {
  const { spec } = HOST_PACKAGES[name];
  return installInto(path.join(name, spec.slice(spec.lastIndexOf('@') + 1)), HOST_PACKAGES[name]);
}

/**
 * Installs a package into a folder of the cache, unless its program is there.
 * @param {string} below the folder, from the cache's own
 * @param {{ spec: string, program: string, check?: (program: string) => void, flags?: string[] }} wanted
 */
async function installInto(below, { spec, program, check, flags = [] }) {
  const folder = path.join(cacheFolder, below);
  if (existsSync(path.join(folder, program))) return path.join(folder, program);
  await mkdir(path.dirname(folder), { recursive: true });
  await removeAbandoned(folder);
  const draft = `${folder}.draft-${process.pid}`;
  try {
    await mkdir(draft);
    // Newer npm versions want the postinstall script, which puts the binary in place, approved by name.
    const manifest = { private: true, allowScripts: { [spec]: true } };
    await writeFile(path.join(draft, 'package.json'), `${JSON.stringify(manifest)}\n`);
    await npmInstall(draft, spec, flags);
    check?.(path.join(draft, program));
    await publish(draft, folder, program);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return path.join(folder, program);
}

/** Checks that the binary runs: without its postinstall script the package holds only a stub. */
function checkRuns(binary, version) {
  const env = { PATH: process.env.PATH ?? '', HOME: cacheFolder };
  const said = execFileSync(binary, ['--version'], {
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (!said.startsWith(version)) throw new Error(`installed ${version}, but the binary says ${said.trim()}`);
}

/** Renames the draft, so an install is all or nothing; losing the race to another install is as good as winning. */
async function publish(draft, folder, program) {
  await rm(path.join(draft, '.npm'), { recursive: true, force: true });
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(path.join(folder, program))) throw error;
  }
}

/** Removes the drafts of installs that were killed: 400 MB each, and nobody else will ever remove them. */
async function removeAbandoned(folder) {
  const above = path.dirname(folder);
  for (const name of await readdir(above)) {
    const isDraft = name.startsWith(`${path.basename(folder)}.draft-`);
    const owner = isDraft ? Number(name.split('-').at(-1)) : 0;
    if (owner && !isAlive(owner)) await rm(path.join(above, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs npm with nothing of the caller's environment but the way to the registry: no user config, no tokens. */
function npmInstall(folder, spec, flags) {
  const env = { PATH: process.env.PATH ?? '', HOME: cacheFolder };
  for (const name of ['NODE_EXTRA_CA_CERTS', 'npm_config_registry']) {
    if (process.env[name]) env[name] = process.env[name];
  }
  const args = [
    'install',
    '--prefix',
    folder,
    '--cache',
    path.join(folder, '.npm'),
    '--no-audit',
    '--no-fund',
    ...flags,
    spec,
  ];
  return new Promise((resolve, reject) => {
    // npm's own chatter goes to stderr: stdout is for the path alone.
    const npm = spawn('npm', args, {
      cwd: folder,
      env,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    npm.on('error', reject);
    npm.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`npm install ${spec} ended with ${code}`)),
    );
  });
}

const startedAs = process.argv[1];
if (startedAs && realpathSync(startedAs) === fileURLToPath(import.meta.url)) {
  console.log(await installClient(process.argv[2]));
}
