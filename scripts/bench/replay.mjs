// Measures `plimsoll replay` over a generated folder of transcripts, beside `JSON.parse` over the same lines and ccusage.
// npm run bench -- --replay [--mb 2000] makes the folder, runs each program in turn, and prints seconds, CPU time and memory.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ratio, table } from './report.mjs';
import { compactedTranscript } from './transcript.mjs';

/** The last one in JavaScript: later ones are native programs, whose packages not every registry has. */
const CCUSAGE = '18.0.11';
const ROUNDS = 3;
const ALL_CORES = 'plimsoll replay, all cores';
const MB = 1024 * 1024;
/** Sizes of files, in MB: most sessions are small, a few hold most of the bytes. */
const FILE_SIZES = [1, 2, 4, 8, 20, 65];

/** Parses every line of every file in blocks, and does nothing with it. */
const PARSE = `
const fs = require('node:fs'), path = require('node:path');
const block = Buffer.allocUnsafe(1024 * 1024);
for (const name of fs.readdirSync(process.argv[1], { recursive: true })) {
  if (!name.endsWith('.jsonl')) continue;
  const file = fs.openSync(path.join(process.argv[1], name));
  let rest = Buffer.alloc(0);
  for (let read = fs.readSync(file, block); read > 0; read = fs.readSync(file, block)) {
    const bytes = Buffer.concat([rest, block.subarray(0, read)]);
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      if (at > from) JSON.parse(bytes.toString('utf8', from, at));
      from = at + 1;
    }
    rest = bytes.subarray(from);
  }
  fs.closeSync(file);
}`;

/** Prints the largest memory of a program, in kilobytes, and its CPU time, in microseconds, when it ends. */
const USAGE = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write('\\nUSAGE ' + maxRSS + ' ' + (userCPUTime + systemCPUTime) + '\\n');
});`;

function makeFolder(home, megabytes) {
  const folder = join(home, 'projects', 'generated');
  mkdirSync(folder, { recursive: true });
  let written = 0;
  for (let n = 0; written < megabytes * MB; n++) {
    const session = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const path = join(folder, `${session}.jsonl`);
    const size = (FILE_SIZES[n % FILE_SIZES.length] ?? 1) * MB;
    for (let part = 0, bytes = 0; bytes < size; part++) {
      const text = compactedTranscript({ session, cwd: home, seed: n * 100 + part, part });
      appendFileSync(path, text);
      bytes += text.length;
    }
    written += size;
  }
  return folder;
}

function installCcusage(root) {
  const folder = join(root, '.cache', 'ccusage', CCUSAGE);
  const program = join(folder, 'node_modules', 'ccusage', 'dist', 'index.js');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--prefix', folder, `ccusage@${CCUSAGE}`], { stdio: 'ignore' });
  }
  return program;
}

function run(args, env) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 512 * MB,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.slice(-400)}`);
  const [, kilobytes, cpu] = /USAGE (\d+) (\d+)/.exec(stderr) ?? [];
  return { seconds, cpu: Number(cpu) / 1e6, megabytes: Number(kilobytes) / 1024 };
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

export function measureReplay(root, megabytes) {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-replay-bench-'));
  try {
    const folder = makeFolder(home, megabytes);
    const usage = join(home, 'usage.cjs');
    writeFileSync(usage, USAGE);
    const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: home, NO_COLOR: '1' };
    const cli = join(root, 'dist', 'cli.cjs');
    const programs = {
      'JSON.parse of every line': ['-r', usage, '-e', PARSE, folder],
      'plimsoll replay, one core': ['-r', usage, cli, 'replay', '--json', '--threads', '1', folder],
      [ALL_CORES]: ['-r', usage, cli, 'replay', '--json', folder],
    };
    try {
      programs[`ccusage ${CCUSAGE} session`] = [
        '-r',
        usage,
        installCcusage(root),
        'session',
        '--json',
        '--offline',
      ];
    } catch (error) {
      console.log(`  NOT RUN: ccusage (${error.message.split('\n')[0]})`);
    }
    const runs = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, args] of Object.entries(programs)) runs[name].push(run(args, env));
    return Object.entries(runs).map(([name, each]) => ({
      name,
      seconds: median(each.map(({ seconds }) => seconds)),
      cpu: median(each.map(({ cpu }) => cpu)),
      megabytes: Math.max(...each.map(({ megabytes: most }) => most)),
    }));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export function reportReplay(root, megabytes) {
  const [parse, ...others] = measureReplay(root, megabytes);
  const line = ({ name, seconds, cpu, megabytes: most }) => [
    name,
    seconds.toFixed(1),
    (megabytes / seconds).toFixed(0),
    cpu.toFixed(1),
    ratio(parse.cpu / cpu),
    most.toFixed(0),
  ];
  console.log(
    `\nReplay of ${megabytes} MB of transcripts (median of ${ROUNDS} runs, interleaved; speed: bytes per CPU second, 1.00 is JSON.parse)\n`,
  );
  console.log(
    table(['', 'seconds', 'MB/s', 'CPU seconds', 'speed', 'most MB of memory'], [parse, ...others].map(line)),
  );
}
