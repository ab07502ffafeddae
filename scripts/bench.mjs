// Measures what Plimsoll costs: per hook, by transcript length, in bytes of bundles, and in a turn of the real client.
// npm run bench [-- --client | --no-client] prints the report; the exit code says nothing about the figures.
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { REPEATS } from './bench/cpu.mjs';
import { freshBundles } from './bench/fresh.mjs';
import { EVENTS, measureGrowth, programName, SIZES } from './bench/growth.mjs';
import { BASE, measureHooks, NAMES, RARE } from './bench/hooks.mjs';
import { reportReplay } from './bench/replay.mjs';
import { budgetTable, ms, ratio, table } from './bench/report.mjs';
import { KINDS, measureTurns, TURNS, VARIANTS } from './bench/turn.mjs';
import { createWorld } from './bench/world.mjs';
import { CLIENT_VERSION, installClient } from './install-client.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ROUNDS = 31;
const TURN_ROUNDS = 11;
const LIMITS = { hot: 1.35, line: 1.5, noted: 1.5, parsed: 2.5, cold: 3, growth: 1.05, turn: 1.5 };
/** What a turn may take longer with the plugin's module, in milliseconds. */
const MODULE_MS = { quiet: 40, steep: 300 };
const limitOf = (name) => {
  if (RARE.includes(name)) return LIMITS.cold;
  return (
    {
      [NAMES.line]: LIMITS.line,
      [NAMES.batchTrack]: LIMITS.noted,
      [NAMES.guardParse]: LIMITS.parsed,
      [NAMES.guardBehind]: LIMITS.parsed,
    }[name] ?? LIMITS.hot
  );
};

function printHeader() {
  const [first] = cpus();
  console.log(`plimsoll bench: Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} x ${first?.model.trim() ?? 'unknown CPU'}

  NODE_EXTRA_CA_CERTS is cleared for every program measured (environments are built from nothing).
  Hooks: ${ROUNDS} samples of ${REPEATS} runs each, all programs interleaved in random order. Turns: ${TURN_ROUNDS} rounds of ${TURNS}.
  CPU = user + system time of a program and all it starts, in ms per run, from bash's \`time\` (0.2 ms of rounding).
  On a shared machine trust the ratios, not the milliseconds.`);
}

function printFooter() {
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const [lastMinute] = loadavg();
  // This run alone keeps one to two CPUs busy. Where others wait for them too, the same bundles gave 1.4 and 1.9 for
  // the turn; the ratios of CPU time stay what they are.
  const isBusy = lastMinute > 1.25 * cpus().length;
  console.log(
    `\n  ${seconds} s; load of the last minute ${lastMinute.toFixed(1)} on ${cpus().length} CPUs${isBusy ? ': too busy to trust the turn' : ''}`,
  );
}

function reportHooks(world) {
  const { figures, unseenKilobytes } = measureHooks(world, ROUNDS);
  const base = figures.get(BASE);
  console.log(
    `\nHooks against "${BASE}" (transcript of 1 MB; longest unseen stretch: ${unseenKilobytes} KB)\n`,
  );
  console.log(
    table(
      ['', 'CPU median', 'CPU min', 'wall median', 'ratio of medians', 'of minima', 'of wall'],
      [...figures].map(([name, { cpu, cpuMin, wall }]) => [
        name,
        ms(cpu),
        ms(cpuMin),
        ms(wall),
        ratio(cpu / base.cpu),
        ratio(cpuMin / base.cpuMin),
        ratio(wall / base.wall),
      ]),
    ),
  );
  return Object.values(NAMES).map((name) => ({
    what: name,
    value: figures.get(name).cpu / base.cpu,
    limit: limitOf(name),
  }));
}

function reportGrowth(world) {
  const { sizes, looks, warm } = measureGrowth(world, ROUNDS);
  const [smallest] = SIZES;
  const against = (event, name) =>
    warm.get(programName(event, name)).cpu / warm.get(programName(event, smallest.name)).cpu;
  console.log(
    `\nGrowth with the transcript, warm state (ratios to ${smallest.name}; "hole": NUL bytes, then 1 MB of lines)\n`,
  );
  console.log(
    table(
      ['', 'bytes', ...EVENTS.flatMap((event) => [`${event} CPU`, 'ratio']), 'first look CPU'],
      sizes.map(({ name, bytes }) => [
        name,
        bytes,
        ...EVENTS.flatMap((event) => [
          ms(warm.get(programName(event, name)).cpu),
          ratio(against(event, name)),
        ]),
        ms(looks.get(name).cpu),
      ]),
    ),
  );
  return EVENTS.map((event) => ({
    what: `growth of ${event}, worst size`,
    value: Math.max(...SIZES.map(({ name }) => against(event, name))),
    limit: LIMITS.growth,
  }));
}

function reportBundles(bundles) {
  console.log('\nBundles in bytes\n');
  console.log(
    table(
      ['', 'size'],
      bundles.map(({ name, size }) => [`${name}.cjs`, size]),
    ),
  );
}

const turnLine = (name) => `${name} turn: extra of plimsoll / of node -e 0`;

/** Returns the client, or prints why there is none and returns null: without the network the rest is still worth a report. */
async function findClient(isDemanded) {
  try {
    return await installClient();
  } catch (error) {
    if (isDemanded) throw error;
    console.log(`\nNOT RUN: turns on the real client (${error.message.split('\n')[0]})`);
    return null;
  }
}

function turnTable(variants) {
  const [none, node] = [VARIANTS.none, VARIANTS.node].map((name) => variants.get(name));
  return table(
    ['', 'median', 'extra', 'ratio', 'min', 'extra', 'ratio'],
    [...variants].map(([name, { median, extra, min }]) => [
      name,
      ms(median),
      ...(name === VARIANTS.none ? ['', ''] : [ms(extra), ratio(extra / node.extra)]),
      ms(min),
      ...(name === VARIANTS.none
        ? ['', '']
        : [ms(min - none.min), ratio((min - none.min) / (node.min - none.min))]),
    ]),
  );
}

async function reportTurns(world, { client: isDemanded, 'no-client': isLeftOut }) {
  const client = isLeftOut ? null : await findClient(isDemanded);
  const programs = { client, cli: join(world.dist, 'cli.cjs'), plugin: join(root, 'dist', 'plugin') };
  const budgets = [];
  for (const [name, kind] of Object.entries(KINDS)) {
    let value = null;
    let inside = null;
    if (client !== null) {
      const variants = await measureTurns(root, world.root, programs, TURN_ROUNDS, kind);
      console.log(
        `\nA ${name} turn of six tool steps${name === 'quiet' ? '' : ' with a compaction in its middle'}, Claude Code ${CLIENT_VERSION}, ms of wall time;\nextra: over no hooks; ratio: to the extra of node\n`,
      );
      console.log(turnTable(variants));
      value = variants.get(VARIANTS.plimsoll).extra / variants.get(VARIANTS.node).extra;
      inside = variants.get(VARIANTS.module).extra;
    }
    budgets.push({ what: turnLine(name), value, limit: LIMITS.turn });
    if (name in MODULE_MS)
      budgets.push({
        ...{ what: `${name} turn: extra of the plugin's module, ms`, value: inside },
        ...{ limit: MODULE_MS[name], show: (value) => value.toFixed(0) },
      });
  }
  return budgets;
}

const { values: options } = parseArgs({
  options: {
    client: { type: 'boolean', default: false },
    'no-client': { type: 'boolean', default: false },
    /** Of the replay alone. */
    replay: { type: 'boolean', default: false },
    /** Megabytes of transcripts to replay. */
    mb: { type: 'string', default: '400' },
  },
});
const startedAt = performance.now();
const bundles = await freshBundles(root);
printHeader();
if (options.replay) reportReplay(root, Number(options.mb));
else {
  const world = createWorld(join(root, 'dist'));
  try {
    const hooks = reportHooks(world);
    const growth = reportGrowth(world);
    reportBundles(bundles);
    const turns = await reportTurns(world, options);
    console.log(`\n${budgetTable([...hooks, ...growth, ...turns])}`);
    reportReplay(root, Number(options.mb));
  } finally {
    world.close();
  }
}
printFooter();
