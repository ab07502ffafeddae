// The one scenario that every host runs through: warned in time, kept over a compaction, handed on, guarded, silenced.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkpoints, failures, plimsoll } from '../kit/plimsoll.ts';
import { newText, ofKind, textOf } from '../kit/requests.ts';
import type { Script, Turn } from '../kit/script.ts';
import type { RecordedRequest } from '../kit/scripted-model.ts';
import { type Capability, HOLDS, type Holds, type HostName } from './holds.ts';
import type { HostSandbox } from './sandbox.ts';

/** A session with a person in front of it. */
export interface HostSession {
  /** Sends a prompt, and waits until the host is done with it. */
  say(text: string): Promise<void>;
  /** Ends it as a person does. */
  end(): Promise<void>;
  /** Kills its process. */
  kill(): Promise<void>;
}

/** A host as its tests know it. */
export interface HostDriver {
  /** The window of the model in these tests, and the usage above which the host compacts, in tokens. */
  window: number;
  limit: number;
  /** It goes on with the turn while it summarises: one more request is sent before the summary takes its place. */
  compactsBeside?: true;
  /** Makes a project with Plimsoll in this host. */
  open(options: {
    script: Script;
    files?: Record<string, string>;
    /** Another host's sandbox, whose project and home this one shares. */
    beside?: HostSandbox;
  }): Promise<HostSandbox>;
  /** Opens a session, a new one or the last one again. */
  start(sandbox: HostSandbox, how?: 'new' | 'again'): Promise<HostSession>;
  /** The calls of the host's own tools. */
  run(command: string): NonNullable<Turn['tools']>[number];
  write(file: string, content: string): NonNullable<Turn['tools']>[number];
  /** Its sandbox is always one of its own, which others can share. */
  makesFolders?: true;
}

const GOAL = 'Bind the atlas in green leather';
const TAG = /<context-monitor>\s*CONTEXT STATUS: (\w+)/g;
const ALERT = '<compaction-alert>';

const main = ({ model }: HostSandbox): RecordedRequest[] => ofKind(model.requests, 'main');
const countOf = (text: string, words: string): number => text.split(words).length - 1;
/** The tiers that are named in a request and were not in the one before. */
const tiersIn = (request: RecordedRequest | undefined, before: RecordedRequest | undefined): string[] => {
  if (request === undefined) return [];
  const text = before === undefined ? textOf(request) : newText(request, before);
  return [...text.matchAll(TAG)].map((match) => match[1] ?? '');
};

async function openWith(driver: HostDriver, main: readonly Turn[], files?: Record<string, string>) {
  const sandbox = await driver.open({ script: { main }, ...(files === undefined ? {} : { files }) });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A turn of tool calls that fills the context: the last of them is over the limit, and the host compacts in its midst. */
const steepTurn = (driver: HostDriver): Turn[] => {
  const at = (share: number): number => Math.round(driver.limit * share);
  return [
    { tools: [driver.write('atlas/cover.txt', 'green\n')], fill: at(0.2) },
    { tools: [driver.run('echo begun')], fill: at(0.73) },
    { tools: [driver.run('echo leather')], fill: at(0.75) },
    { tools: [driver.run('echo spine')], fill: at(0.9) },
    { tools: [driver.run('echo corners')], fill: at(1.1) },
    ...(driver.compactsBeside ? [{ tools: [driver.run('echo beside')], fill: at(1.1), delayMs: 500 }] : []),
  ];
};

/** @param install finds the client, and installs it if need be */
export function describeHost(
  name: HostName,
  install: () => Promise<HostDriver>,
  title: string = HOLDS[name].title,
): void {
  const { not }: Holds = HOLDS[name];
  const holds = (what: Capability): boolean => not[what] === undefined;
  describe(`${title}, the real client`, () => {
    let driver: HostDriver;
    beforeAll(async () => {
      driver = await install();
    });

    test('warned in mid-turn once per tier, kept before the compaction, and told of the work right after it', async () => {
      const sandbox = await openWith(driver, [
        ...steepTurn(driver),
        { tools: [driver.run('echo after')], fill: Math.round(driver.limit * 0.2) },
        { text: 'done', fill: Math.round(driver.limit * 0.22) },
        { text: 'and done', fill: Math.round(driver.limit * 0.25) },
      ]);
      const session = await driver.start(sandbox);
      await session.say(GOAL);
      const requests = main(sandbox);
      const told = requests.slice(0, 5).map((each, at) => tiersIn(each, requests[at - 1]));
      expect(told.flat().filter((tier) => tier === 'WARNING')).toHaveLength(1);
      expect(told[2]).toEqual(['WARNING']);
      expect(told[4]).toEqual(['EMERGENCY']);

      const [summary] = ofKind(sandbox.model.requests, 'summary');
      const facts = /Facts to keep[\s\S]*THE USER'S GOAL: Bind the atlas in green leather/;
      expect(facts.test(summary === undefined ? '' : textOf(summary))).toBe(holds('summary'));
      const kept = checkpoints(sandbox).find(({ trigger }) => trigger.type === 'auto');
      expect(kept?.work.files_written.map((file) => path.basename(file))).toEqual(['cover.txt']);

      const [first = '', second = ''] = requests.slice(driver.compactsBeside ? 6 : 5).map(textOf);
      expect(first.includes(ALERT)).toBe(holds('alert'));
      const alert = holds('alert') ? first : second;
      expect(alert).toContain(`THE USER'S GOAL: ${GOAL}`);
      expect(alert).toMatch(/<compaction-alert>[\s\S]*atlas\/cover\.txt/);
      expect(countOf(second, ALERT)).toBe(1);

      await session.say('And the corners?');
      const last = main(sandbox).at(-1);
      expect(countOf(last === undefined ? '' : textOf(last), ALERT)).toBe(1);
      expect(tiersIn(last, main(sandbox).at(-2)).length > 0).toBe(holds('at-prompt'));
      await session.end();
      expect(failures(sandbox)).toEqual([]);
      const status = JSON.parse(plimsoll(sandbox, 'status', '--json').stdout) as Record<string, unknown>;
      expect(status).toMatchObject({ compactions: 1, window: {} });
      const { tokens, confidence } = status.window as { tokens: number; confidence: string };
      expect(confidence === 'certain' && tokens === driver.window).toBe(holds('window'));
    });

    test('killed before the alert has arrived: it is told when the session goes on', async () => {
      const killed: { session: HostSession | null } = { session: null };
      const sandbox = await openWith(driver, [
        ...steepTurn(driver),
        { text: 'never heard', onRequest: async () => killed.session?.kill() },
        { text: 'here again', fill: Math.round(driver.limit * 0.2) },
      ]);
      killed.session = await driver.start(sandbox);
      await killed.session.say(GOAL).catch(() => undefined);
      const again = await driver.start(sandbox, 'again');
      await again.say('go on');
      await again.end();
      const last = main(sandbox).at(-1);
      expect(last && textOf(last)).toMatch(/<compaction-alert>[\s\S]*Bind the atlas in green leather/);
    });

    test('killed in its work: a fresh session is handed what was asked and done', async () => {
      const killed: { session: HostSession | null } = { session: null };
      const sandbox = await openWith(driver, [
        { tools: [driver.write('atlas/cover.txt', 'green\n')], fill: Math.round(driver.limit * 0.2) },
        { text: 'never heard', onRequest: async () => killed.session?.kill() },
        { text: 'hello', fill: Math.round(driver.limit * 0.1) },
      ]);
      killed.session = await driver.start(sandbox);
      await killed.session.say(GOAL).catch(() => undefined);
      const fresh = await driver.start(sandbox);
      await fresh.say('hello');
      await fresh.end();
      const last = main(sandbox).at(-1);
      expect(last && textOf(last)).toMatch(/<resumption-context>[\s\S]*Bind the atlas in green leather/);
      expect(last && textOf(last)).toContain('atlas/cover.txt');
    });

    test('a guarded write is refused with its reason, and what is free goes on', async () => {
      const config = '[guardrails]\nmode = "enforce"\n\n[guardrails.paths]\nprotected = ["dist/**"]\n';
      const sandbox = await openWith(
        driver,
        [
          { tools: [driver.write('dist/a.txt', 'x\n')], fill: 1_000 },
          { tools: [driver.run('echo x > dist/b.txt')], fill: 1_100 },
          { tools: [driver.write('src/c.txt', 'x\n')], fill: 1_200 },
          { text: 'done', fill: 1_300 },
        ],
        { '.plimsoll/config.toml': config },
      );
      const session = await driver.start(sandbox);
      await session.say('write');
      await session.end();
      const isThere = (name: string): boolean => existsSync(path.join(sandbox.projectDir, name));
      const isGuarded = holds('guard');
      expect(['dist/a.txt', 'dist/b.txt', 'src/c.txt'].map(isThere)).toEqual([!isGuarded, !isGuarded, true]);
      const refused = /Plimsoll: Writing dist\/a\.txt .*guardrails\.paths\.protected/;
      const last = main(sandbox).at(-1);
      if (isGuarded) expect(last && textOf(last)).toMatch(refused);
    });

    test('off: nothing is said, kept or refused', async () => {
      const sandbox = await openWith(driver, [
        ...steepTurn(driver),
        { text: 'done', fill: Math.round(driver.limit * 0.2) },
      ]);
      plimsoll(sandbox, 'off');
      const session = await driver.start(sandbox);
      await session.say(GOAL);
      await session.end();
      expect(sandbox.model.requests.map(textOf).join()).not.toMatch(
        /<context-monitor>|Plimsoll|<compaction-alert>/,
      );
      expect(checkpoints(sandbox)).toEqual([]);
    });
  });
}

/** Work that is begun in one host and killed there goes on in another: goal, requirement, files and failing tests are told. */
export async function expectHandedOver(from: HostDriver, to: HostDriver): Promise<void> {
  const killed: { session: HostSession | null } = { session: null };
  const begun: Script = {
    main: [
      { tools: [from.write('atlas/cover.txt', 'green\n')], fill: Math.round(from.limit * 0.2) },
      { tools: [from.run('echo "FAIL atlas/spine.test.ts"; exit 1')], fill: Math.round(from.limit * 0.21) },
      { text: 'never heard', onRequest: async () => killed.session?.kill() },
    ],
  };
  const goneOn: Script = { main: [{ text: 'hello', fill: 1_000 }] };
  const isFirst = to.makesFolders !== true;
  const base = await (isFirst ? from.open({ script: begun }) : to.open({ script: goneOn }));
  onTestFinished(() => base.close());
  const beside = await (isFirst ? to : from).open({ script: isFirst ? goneOn : begun, beside: base });
  onTestFinished(() => beside.close());
  const [before, after] = isFirst ? [base, beside] : [beside, base];
  killed.session = await from.start(before);
  await killed.session.say(`${GOAL}. Never use glue.`).catch(() => undefined);
  const fresh = await to.start(after);
  await fresh.say('hello');
  await fresh.end();
  expect(failures(after)).toEqual([]);
  const told = textOf(main(after).at(-1) as RecordedRequest);
  expect(told).toMatch(/<resumption-context>[\s\S]*Bind the atlas in green leather/);
  for (const words of ['Never use glue', 'atlas/cover.txt', 'atlas/spine.test.ts'])
    expect(told).toContain(words);
}
