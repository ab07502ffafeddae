// The schemas of the guardrail tables in the settings; the types they check are in model/guardrails/options.ts.
import * as v from 'valibot';
import { DECISIONS, RULE_NAMES } from '../hosts/verdict.ts';
import { COMMAND_PACKS } from './guardrail-options.ts';

const decision = v.picklist(DECISIONS);
const globs = v.array(v.string());
const names = v.array(v.string());
const table = <E extends v.ObjectEntries>(entries: E) => v.partial(v.strictObject(entries));

export const toolsTable = table({ allow: names, deny: names, unknown: decision });

/** A command that may run although it destroys something, and why. */
const allowed = v.strictObject({
  command: v.pipe(v.string(), v.minLength(3, 'Expected the words of a command')),
  reason: v.pipe(v.string(), v.minLength(1, 'Expected the reason why it may run')),
});
export const commandsTable = table({
  action: decision,
  packs: v.array(v.picklist(COMMAND_PACKS)),
  allow: v.array(allowed),
});

export const pathsTable = table({
  writable: globs,
  protected: globs,
  secrets: globs,
  on_secret: decision,
  outside: decision,
  unknown: decision,
  odd: decision,
  fields: v.record(v.string(), v.string()),
});

export const governanceTable = table({ c3: globs, c4: globs, action: v.picklist(['warn', 'ask', 'deny']) });

const layer = v.strictObject({
  name: v.string(),
  files: globs,
  forbid: v.optional(names),
  only: v.optional(names),
  packages: v.optional(names),
  instead: v.optional(v.string()),
});

export const architectureTable = table({
  layers: v.array(layer),
  type_only: v.picklist(['exempt', 'judged']),
  exempt: globs,
  one_class: v.boolean(),
  aliases: v.record(v.string(), v.string()),
  python_roots: v.array(v.string()),
});

/** A tool call and the decision expected for it. */
const example = v.pipe(
  v.strictObject({
    path: v.optional(v.string()),
    command: v.optional(v.string()),
    call: v.optional(v.strictObject({ tool: v.string(), input: v.record(v.string(), v.unknown()) })),
    expect: decision,
    rule: v.optional(v.picklist(RULE_NAMES)),
    note: v.optional(v.string()),
  }),
  v.check(
    ({ path, command, call }) => [path, command, call].filter((each) => each !== undefined).length === 1,
    'Expected one of path, command and call in each example',
  ),
);
export const examplesList = v.array(example);
export type GuardrailExample = v.InferOutput<typeof example>;
