// What holds in which host: the scenario asserts each of it, or that it is not so, and docs/hosts.md shows it.

/** What Plimsoll does, as the page words it. */
export const CAPABILITIES = {
  window: 'exact window',
  'at-prompt': 'warned at a prompt',
  'in-turn': 'warned in mid-turn',
  checkpoint: 'checkpoint before',
  summary: 'facts to the summariser',
  alert: 'alert in the first request after',
  killed: 'killed: told when it goes on',
  handoff: 'handoff to a fresh session',
  guard: 'guarded write refused',
  off: '`off` silences all',
  inside: "in the host's process",
} as const;
export type Capability = keyof typeof CAPABILITIES;

export interface Holds {
  /** The client, and the version that the tests run. */
  client: string;
  title: string;
  /** What does not hold, and why. */
  not: Partial<Record<Capability, string>>;
}

export const HOLDS = {
  'claude-code': {
    title: 'Claude Code, hooks as processes',
    client: '`@anthropic-ai/claude-code` 2.1.332',
    not: {
      window: "by its model; exact with the plugin's module or the status line",
      inside: 'a process for each hook',
    },
  },
  'claude-code-inside': {
    title: 'Claude Code, the plugin',
    client: '`@anthropic-ai/claude-code` 2.1.332',
    not: {},
  },
  pi: { title: 'pi', client: '`@earendil-works/pi-coding-agent` 1.6.0', not: {} },
  opencode: { title: 'opencode', client: '`opencode-ai` 1.18.33', not: {} },
  kilo: { title: 'Kilo', client: '`@kilocode/cli` 7.7.9', not: {} },
  codex: {
    title: 'Codex CLI',
    client: '`@openai/codex` 0.171.0',
    not: { summary: 'its hook before a compaction takes no words', inside: 'a process for each hook' },
  },
  copilot: {
    title: 'Copilot CLI',
    client: '`@github/copilot` 1.0.102',
    not: {
      summary: 'its hook before a compaction takes no words',
      alert: 'with the next tool call or prompt after it: it has no hook for that',
      inside: 'a process for each hook',
    },
  },
} satisfies Record<string, Holds>;
export type HostName = keyof typeof HOLDS;

/** The table of docs/hosts.md. */
function renderHolds(): string {
  const hosts: Holds[] = Object.values(HOLDS);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['', ...hosts.map(({ title }) => title)]),
    row(['---', ...hosts.map(() => '---')]),
    row(['tested with', ...hosts.map(({ client }) => client)]),
    ...Object.entries(CAPABILITIES).map(([key, words]) =>
      row([
        words,
        ...hosts.map(({ not }) =>
          not[key as Capability] === undefined ? 'yes' : `no: ${not[key as Capability]}`,
        ),
      ]),
    ),
  ].join('\n');
}

/** The page with its table made anew. */
export const withHolds = (page: string): string =>
  page.replace(
    /(<!-- holds -->\n\n)[\s\S]*?(\n\n<!-- \/holds -->)/,
    (_, head, tail) => `${head}${renderHolds()}${tail}`,
  );
