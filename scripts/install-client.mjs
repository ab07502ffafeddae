// Finds the real Claude Code client of a given version in .cache/claude, and installs it there if need be.
// node scripts/install-client.mjs [VERSION] prints the absolute path of its binary.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version the tests are written against. */
export const CLIENT_VERSION = '2.1.332';

const cacheFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '.cache', 'claude');
const binaryIn = (folder) => path.join(folder, 'node_modules', '.bin', 'claude');

/**
 * The client is third-party software under its own licence, so it is fetched on demand and never kept in git.
 * @param {string} [version]
 * @returns {Promise<string>} the absolute path of the binary
 */
export async function installClient(version = CLIENT_VERSION) {
  // The version becomes a folder name and part of a package spec: nothing but a plain version may pass.
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`not a client version: ${JSON.stringify(version)}`);
  const folder = path.join(cacheFolder, version);
  if (existsSync(binaryIn(folder))) return binaryIn(folder);

  await mkdir(cacheFolder, { recursive: true });
  await removeAbandoned(version);
  const draft = path.join(cacheFolder, `${version}.draft-${process.pid}`);
  try {
    const spec = `@anthropic-ai/claude-code@${version}`;
    await mkdir(draft);
    // Newer npm versions want the postinstall script, which puts the binary in place, approved by name.
    const manifest = { private: true, allowScripts: { [spec]: true } };
    await writeFile(path.join(draft, 'package.json'), `${JSON.stringify(manifest)}\n`);
    await npmInstall(draft, spec);
    checkRuns(binaryIn(draft), version);
    await publish(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return binaryIn(folder);
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
async function publish(draft, folder) {
  await rm(path.join(draft, '.npm'), { recursive: true, force: true });
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(binaryIn(folder))) throw error;
  }
}

/** Removes the drafts of installs that were killed: 400 MB each, and nobody else will ever remove them. */
async function removeAbandoned(version) {
  for (const name of await readdir(cacheFolder)) {
    const owner = name.startsWith(`${version}.draft-`) ? Number(name.split('-').at(-1)) : 0;
    if (owner && !isAlive(owner)) await rm(path.join(cacheFolder, name), { recursive: true, force: true });
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
function npmInstall(folder, spec) {
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
