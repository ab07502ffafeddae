// Measures how much longer a turn takes with the hooks on the real client: six tool steps, a compaction in the middle.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CLIENT_VERSION } from '../install-client.mjs';
import { median, shuffled } from './cpu.mjs';
import { loadKit } from './kit.mjs';
import { stateIn } from './world.mjs';

/** Turns in one session: starting the client takes longer than a turn, so each start is used for several. */
export const TURNS = 3;
/** Milliseconds before each turn: nobody asks again at once, and what is kept after a turn takes no CPU from the next one. */
const PAUSE = 500;
/** The client compacts after a call of 117,000 tokens or more, which is W - 33,000. */
const WINDOW = 150_000;
const step = (n, fill) => ({
  text: `step ${n}`,
  tools: [{ name: 'Bash', input: { command: `echo ${n}`, description: 'a step' } }],
  fill,
});
const AFTER = [step(4, 40_000), step(5, 42_000), step(6, 44_000), { text: 'done', fill: 46_000 }];

/**
 * Turns that are measured, and the answers to the prompts before them, which are not.
 * Usual: the fill grows by some 4,000 tokens a step (9 of 10 answers of real conversations by less than 2,800), so the tiers
 * were said before the turn that compacts. Steep: 30,000 a step, so that WARNING and EMERGENCY are reached in the turn,
 * each with a checkpoint, and the hooks wait for the file (docs/decisions/0004). Quiet: no tier is reached.
 */
export const KINDS = {
  usual: {
    lead: [
      { text: 'far', fill: 105_000 },
      { text: 'on', fill: 106_000 },
    ],
    turn: [step(1, 109_000), step(2, 113_000), step(3, 118_000), ...AFTER],
  },
  steep: { lead: [], turn: [step(1, 60_000), step(2, 90_000), step(3, 118_000), ...AFTER] },
  quiet: {
    lead: [],
    turn: [...[1, 2, 3, 4, 5, 6].map((n) => step(n, 30_000 + n * 1_000)), { text: 'done', fill: 37_000 }],
  },
};

export const VARIANTS = {
  none: 'no hooks',
  node: 'node -e 0',
  plimsoll: 'plimsoll',
  module: 'plugin module',
};
const OURS = [VARIANTS.plimsoll, VARIANTS.module];

function replaceCommands(path) {
  const settings = JSON.parse(readFileSync(path, 'utf8'));
  for (const groups of Object.values(settings.hooks)) {
    for (const group of groups) {
      for (const hook of group.hooks) hook.command = 'NODE_EXTRA_CA_CERTS= exec node -e 0';
    }
  }
  return settings;
}

async function createSandbox(kit, variant, { client, cli }, { lead, turn }) {
  const sandbox = await kit.createSandbox({
    client,
    script: {
      main: [
        { text: 'hello', fill: 30_000 },
        ...Array.from({ length: TURNS }, () => [...lead, ...turn]).flat(),
      ],
    },
    settings: { permissions: { allow: ['Bash'] } },
    env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(WINDOW) },
    files: { 'README.md': '# Ledger\n', 'src/parser.ts': 'export const parse = 1;\n' },
    git: true,
  });
  if (variant !== VARIANTS.none && variant !== VARIANTS.module) {
    execFileSync(process.execPath, [cli, 'init', '--yes', '--client-version', CLIENT_VERSION], {
      cwd: sandbox.projectDir,
      env: sandbox.env,
      stdio: 'pipe',
    });
  }
  if (variant === VARIANTS.node) {
    sandbox.writeSettings(
      replaceCommands(join(sandbox.projectDir, '.claude', 'settings.local.json')),
      'local',
    );
  }
  return sandbox;
}

/** Throws when a turn lacks its compaction or alert, or a hook logged a failure: that is not the turn to measure. */
function check(kit, sandbox, variant, { lead, turn }) {
  const { requests } = sandbox.model;
  const main = kit.ofKind(requests, 'main');
  const compactions = kit.ofKind(requests, 'summary').length;
  const alerts = main.filter(
    (request, n) => n > 0 && kit.newText(request, main[n - 1]).includes('<compaction-alert>'),
  ).length;
  const due = turn.some(({ fill }) => fill >= WINDOW - 33_000) ? TURNS : 0;
  const wanted = {
    main: 1 + TURNS * (lead.length + turn.length),
    compactions: due,
    alerts: OURS.includes(variant) ? due : 0,
  };
  const seen = { main: main.length, compactions, alerts };
  const log = join(stateIn(sandbox.projectDir), 'failures.jsonl');
  if (JSON.stringify(seen) !== JSON.stringify(wanted)) {
    throw new Error(`turn with ${variant}: wanted ${JSON.stringify(wanted)}, seen ${JSON.stringify(seen)}`);
  }
  if (existsSync(log)) throw new Error(`turn with ${variant}: ${readFileSync(log, 'utf8')}`);
}

/** Milliseconds of each turn of one session. */
async function converse(kit, variant, programs, kind) {
  const sandbox = await createSandbox(kit, variant, programs, kind);
  try {
    const plugin = variant === VARIANTS.module ? ['--plugin-dir', programs.plugin] : [];
    const talk = kit.openSession(sandbox, ['--model', 'claude-sonnet-4-5', ...plugin]);
    await talk.say('hi');
    const taken = [];
    for (let n = 0; n < TURNS; n++) {
      for (const { text } of kind.lead) await talk.say(text);
      await setTimeout(PAUSE);
      const before = performance.now();
      await talk.say('build the parser');
      taken.push(performance.now() - before);
    }
    await talk.end();
    check(kit, sandbox, variant, kind);
    return taken;
  } finally {
    await sandbox.close();
  }
}

/**
 * Medians per variant in milliseconds, and what each adds to a turn without hooks. The extra is taken within a round
 * and only then over the rounds: a machine that is slow for a minute is slow for all variants of a round.
 * @param {{ client: string, cli: string, plugin: string }} programs
 * @param {{ lead: object[], turn: object[] }} kind one of KINDS
 */
export async function measureTurns(root, folder, programs, rounds, kind) {
  const kit = await loadKit(root, folder);
  const names = Object.values(VARIANTS);
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const times = new Map();
    for (const variant of shuffled(names)) times.set(variant, await converse(kit, variant, programs, kind));
    taken.push(times);
  }
  return new Map(
    names.map((name) => {
      const all = taken.flatMap((times) => times.get(name));
      const extras = taken.map((times) => median(times.get(name)) - median(times.get(VARIANTS.none)));
      return [name, { median: median(all), min: Math.min(...all), extra: median(extras) }];
    }),
  );
}
