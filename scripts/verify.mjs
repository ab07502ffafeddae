// Installs, builds, checks and tests everything; the last line counts: "N passed, N failed". It runs a random share of the
// long campaigns; with --long (`npm run verify:long`) all of them, the longer journeys of the real client, and the coverage.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { installDependencies, ROOT } from './install.mjs';

const began = Date.now();
installDependencies();

const reports = join(ROOT, '.cache', 'verify');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const notRunFile = join(reports, 'not-run.txt');
const testReport = join(reports, 'tests.json');

const bin = (name) => join(ROOT, 'node_modules', '.bin', name);
// The compiler in Go needs a fifth of the time; scripts and tests that read syntax trees need the one in JavaScript.
const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
// `check --all` asks git for the files. An unpacked archive has no git; the test of the fence reads the files itself.
const isRepository = spawnSync('git', ['rev-parse', '--verify', 'HEAD'], { cwd: ROOT }).status === 0;
if (!isRepository)
  appendFileSync(notRunFile, 'NOT RUN: own rules: this folder is no repository that git reads\n');
const BUILD = ['build', process.execPath, [join(ROOT, 'scripts/build.mjs')]];
/** Needs nothing that is built. */
const SOURCE_CHECKS = [
  ['types', process.execPath, [tsc, '-p', 'tsconfig.json']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
];
const CHECKS = [
  ...(isRepository ? [['own rules', process.execPath, [join(ROOT, 'dist/cli.cjs'), 'check', '--all']]] : []),
  ['package types', bin('attw'), ['--pack', '.', '--profile', 'esm-only']],
  ['dead code', bin('knip'), []],
  ['house', process.execPath, [join(ROOT, 'scripts/house.mjs'), '--ratchet']],
  ['package', bin('publint'), ['--strict']],
];

const results = [];

// The package checks pack what was built; another build would take dist/ away from the others.
const env = { ...process.env, npm_config_ignore_scripts: 'true' };

/** Runs a program and prints how it ended, with its output where it failed. */
async function runStep([name, command, args]) {
  const started = Date.now();
  let said = '';
  const ok = await new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, shell: process.platform === 'win32' });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.on('error', (error) => {
      said += error;
      resolve(false);
    });
    child.on('close', (status) => resolve(status === 0));
  });
  results.push({ name, ok });
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}  (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (!ok) console.log(said);
  return ok;
}

async function runAll(steps) {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) await runStep(step);
}

// Two at a time: most of them use one CPU.
const [isBuilt] = await Promise.all([runStep(BUILD), runAll([...SOURCE_CHECKS])]);
if (isBuilt) {
  const waiting = [...CHECKS];
  await Promise.all([runAll(waiting), runAll(waiting)]);
}

/** Tests that passed only at the second run, with their first failure message, so that nobody takes them for sound. */
const secondRuns = (report) =>
  report.testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages: [first] }) => `PASSED AT THE SECOND RUN: ${fullName}\n  ${first}`),
  );

/** Runs the tests; what a run has to know beside its arguments stands in the environment. */
const runTests = (args, added) =>
  spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...added },
  });

/** The project of vitest.config.ts that a file belongs to. */
const projectOf = (file) =>
  /^test\/(?:hooks|cli)\//.test(file) ? 'hooks' : /^test\/client\//.test(file) ? 'client' : 'unit';

/** One line for each project: its tests by their end, and the time that they took one after the other. */
function countsByProject(report) {
  const counts = { unit: {}, hooks: {}, client: {} };
  for (const { name, assertionResults } of report.testResults) {
    const count = counts[projectOf(relative(ROOT, name).replaceAll('\\', '/'))];
    for (const { status, duration = 0 } of assertionResults) {
      count[status] = (count[status] ?? 0) + 1;
      count.ms = (count.ms ?? 0) + duration;
    }
  }
  return Object.entries(counts).map(
    ([name, { passed = 0, failed = 0, ms = 0 }]) =>
      `${name.padEnd(6)}  ${passed} passed, ${failed} failed  (${(ms / 1000).toFixed(0)} s of tests)`,
  );
}

let tests = { passed: 0, failed: 0, skipped: 0 };
if (isBuilt) {
  const isLong = process.argv.includes('--long');
  const seed = process.env.PLIMSOLL_SEED ?? String(Math.floor(Math.random() * 1e6));
  console.log('\ntests: unit, property, spawned hooks, real client');
  if (!isLong)
    console.log(
      `a share of the campaigns, drawn by PLIMSOLL_SEED=${seed}; all of them and the longer journeys: npm run verify:long`,
    );
  const result = runTests(['--reporter=default', '--reporter=json', `--outputFile.json=${testReport}`], {
    PLIMSOLL_NOT_RUN_FILE: notRunFile,
    PLIMSOLL_SEED: seed,
    PLIMSOLL_LONG: isLong ? '1' : '',
  });
  const report = existsSync(testReport) ? JSON.parse(readFileSync(testReport, 'utf8')) : null;
  if (isLong) {
    console.log('\ncoverage of src by the unit tests; what runs in processes of its own is not counted');
    // The same share each time, so that two figures can be compared.
    const { status } = runTests(['--project=unit', '--reporter=dot', '--coverage.enabled'], {
      PLIMSOLL_SEED: '0',
    });
    results.push({ name: 'coverage', ok: status === 0 });
  }
  for (const each of report === null ? [] : countsByProject(report)) console.log(each);
  for (const each of report === null ? [] : secondRuns(report)) console.log(each);
  tests = {
    passed: report?.numPassedTests ?? 0,
    // A file that did not even load has no failed test of its own, but it failed.
    failed: report === null ? 1 : Math.max(report.numFailedTests, result.status === 0 ? 0 : 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

const notRun = existsSync(notRunFile)
  ? readFileSync(notRunFile, 'utf8').trim().split('\n').filter(Boolean)
  : [];
for (const line of new Set(notRun)) {
  const times = notRun.filter((each) => each === line).length;
  console.log(`${line}${times > 1 ? `, ${times} tests` : ''}`);
}
const passed = results.filter((each) => each.ok).length + tests.passed;
const failed = results.filter((each) => !each.ok).length + tests.failed;
const seconds = Math.round((Date.now() - began) / 1000);
console.log(`\ntook ${Math.floor(seconds / 60)} min ${seconds % 60} s`);
console.log(`${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
