// How would a tool call be judged, and why? The very decision that the hook makes, with its trace.
import { guardrailOptions } from '../config/guardrails.ts';
import type { Sight, ToolCall } from '../model/guardrails/call.ts';
import { importsOf } from '../model/guardrails/imports/read-imports.ts';
import { judge } from '../model/guardrails/index.ts';
import { isObject } from '../model/json.ts';
import { changesOfCommand } from '../store/command-changes.ts';
import { homeOf } from '../store/paths.ts';
import { diskSight } from '../store/real-paths.ts';
import { evaluationOf } from '../store/track-gate.ts';
import { hasTracks } from '../store/tracks.ts';
import { type Output, toJson, UserError } from './output.ts';
import type { Place } from './place.ts';

export interface ExplainOptions {
  path?: string;
  command?: string;
  json?: boolean;
}

/** The call that is meant: as the client would send it, or a file that is written, or a command. */
function callOf(given: string | undefined, options: ExplainOptions): Pick<ToolCall, 'tool' | 'input'> {
  const { path, command } = options;
  if ([given, path, command].filter((each) => each !== undefined).length !== 1)
    throw new UserError('Nothing to explain, or more than one thing', {
      hint: 'give one: --path FILE, --command TEXT, or a tool call as JSON',
      code: 2,
    });
  if (path !== undefined) return { tool: 'Write', input: { file_path: path, content: '' } };
  if (command !== undefined) return { tool: 'Bash', input: { command } };
  let call: unknown = null;
  try {
    call = JSON.parse(given ?? '');
  } catch {
    // said below
  }
  const { tool_name: tool, tool_input: input } = isObject(call) ? call : {};
  if (typeof tool === 'string' && isObject(input)) return { tool, input };
  throw new UserError('This is no tool call', {
    hint: 'as the client sends it: {"tool_name": "Write", "tool_input": {"file_path": "a.txt", "content": ""}}',
    code: 2,
  });
}

/** The gate of the active track, as the hook asks it in the conversation of whose shell this is. */
function gateOf(
  { env, paths, resolved: { settings } }: Place,
  root: string,
): ReturnType<typeof evaluationOf> | null {
  if (settings['tracks.enabled'] === 'off' || !settings['tracks.gate'] || !hasTracks(root)) return null;
  return evaluationOf(root, { env, paths, conversation: env.CLAUDE_CODE_SESSION_ID ?? null });
}

/** Prints which rules looked, what each saw, and the verdict. Where guardrails are off, the verdict that "enforce" would give. */
export function guardExplain(
  place: Place,
  given: string | undefined,
  options: ExplainOptions,
  output: Output,
): void {
  const call = callOf(given, options);
  const own = guardrailOptions(place.resolved.settings);
  const root = place.root ?? place.cwd;
  const sight: Sight = {
    ...diskSight(root),
    commands: changesOfCommand,
    imports: importsOf,
    evaluation: gateOf(place, root),
  };
  const isOff = own.mode === 'off';
  const rules = isOff ? { ...own, mode: 'enforce' as const } : own;
  const verdict = judge({ ...call, cwd: place.cwd, root, home: homeOf(place.env) }, rules, sight);
  if (options.json) {
    output.print(toJson({ mode: own.mode, preset: own.preset, ...verdict }));
    return;
  }
  output.print(
    [
      ...(isOff ? ['guardrails.mode is "off": nothing is judged. With "enforce" it would be:'] : []),
      `${verdict.decision.toUpperCase()}${verdict.rule === null ? '' : `, by ${verdict.rule}`}`,
      ...(verdict.reason === null ? [] : [verdict.reason]),
      ...verdict.trace.map(
        ({ rule, at, saw, decision }) => `  ${rule.padEnd(12)}  ${decision.padEnd(4)}  ${at}: ${saw}`,
      ),
    ].join('\n'),
  );
}
