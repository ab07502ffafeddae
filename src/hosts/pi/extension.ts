// The extension that runs in pi's process: asks at each of its events what is to be done, and says it by pi's own means.

import { isObject, type JsonObject } from '../../text/json.ts';
import type { Event } from '../host.ts';
import type { AskInside, InsideAnswer, ReportInside } from '../host-entry.ts';
import type { Ending, ToolRun } from '../read-only-commands.ts';
import { OUR_TYPE, readMessageText } from './lines.ts';

/** What we use of pi's context of an event. */
interface PiContext {
  cwd: string;
  /** `print` and `json` have no person in front of them. */
  mode: string;
  hasUI: boolean;
  ui: {
    notify: (text: string, level: string) => void;
    confirm: (title: string, text: string) => Promise<boolean>;
    /** A text of ours in the line below the prompt; undefined takes it away. */
    setStatus: (key: string, text: string | undefined) => void;
  };
  sessionManager: {
    getSessionId: () => string;
    /** Undefined for a session that is not kept. */
    getSessionFile: () => string | undefined;
    getEntries: () => readonly unknown[];
  };
  model?: { id?: string };
  /** `tokens` is null from a compaction to the next answer. */
  getContextUsage: () => { tokens: number | null; contextWindow: number } | undefined;
}

type AfterTool = Pick<Extract<Event, { kind: 'after-tool' }>, 'kind' | 'calls' | 'payload'>;
type Handler = (event: JsonObject, context: PiContext) => unknown;

/** What pi hands to an extension, as far as we use it. */
export interface PiApi {
  on: (event: string, handler: Handler) => unknown;
  /** What the extensions of a process hear of each other. */
  events: {
    on: (name: string, hear: (said: unknown) => void) => unknown;
    emit: (name: string, said: unknown) => void;
  };
  getSettings: () => { compaction?: { enabled?: boolean; reserveTokens?: number } };
}

/** By this, one copy of ours tells the others that it serves a session. */
const SERVED = 'plimsoll:served';

/** pi's own reserve, where its settings name none. */
const RESERVE = 16_384;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const items = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A call as the guardrails know calls: one shell, one tool that writes a whole file, one that changes parts. */
function readCall(tool: string, input: JsonObject): { tool: string; input: JsonObject } {
  const file_path = text(input.path).replace(/^@/, '');
  switch (tool) {
    case 'bash':
      return { tool: 'Bash', input };
    case 'powershell':
      return { tool: 'PowerShell', input };
    case 'write':
      return { tool: 'Write', input: { file_path, content: input.content } };
    case 'edit': {
      const parts = Array.isArray(input.edits) ? items(input.edits) : [input];
      const edits = parts.map(({ oldText, newText }) => ({ old_string: oldText, new_string: newText }));
      return { tool: 'MultiEdit', input: { file_path, edits } };
    }
    case 'read':
      return { tool: 'Read', input: { file_path } };
    default:
      return { tool, input };
  }
}

/** How a call ended, as its result says. */
function endingOf(output: string, isError: boolean): Ending {
  if (!isError) return { state: 'ok' };
  if (output.startsWith('Plimsoll: ')) return { state: 'denied' };
  const code = /Command exited with code (\d{1,6})\s*$/.exec(output)?.[1];
  return { state: 'failed', code: code === undefined ? null : Number(code) };
}

/** The text of the last answer among some messages; null where there is none. */
function lastAnswer(messages: readonly JsonObject[]): string | null {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return last === undefined ? null : readMessageText(last.content) || null;
}

/** Usage and tier as our status line words them: of what is left until pi compacts, rounded down as tiers are. */
const showUsage = ({ usage }: InsideAnswer): string | undefined =>
  usage === null ? undefined : `Plimsoll ${Math.floor(usage.fraction * 100 + 1e-9)}% ${usage.tier}`;

/** Registers our handlers. What a handler throws is pi's to report, so none throws: without us everything goes on. */
export function attachPi(pi: PiApi, ask: AskInside, report: ReportInside): void {
  /** What is said with the next request, in which it stands for a moment only until pi can keep it. */
  let owed: string[] = [];
  /** What stood in a request already, and is kept at the end of the turn. */
  let shown: string[] = [];
  let inputs = new Map<string, { tool: string; input: JsonObject }>();
  /** What of a turn is asked about only in the next request, because what stood in this one has to be kept first. */
  let waiting: AfterTool | null = null;
  let isHeld = false;
  let answered: string | null = null;
  /** The session that another copy serves: pi may load us as an extension and as a package. */
  let servedByOther: string | null = null;
  const self = {};
  pi.events.on(SERVED, (said) => {
    if (isObject(said) && said.by !== self) servedByOther = text(said.session);
  });

  const told = ({ getContextUsage, model }: PiContext) => {
    const usage = getContextUsage();
    if (usage === undefined || !(usage.contextWindow > 0)) return null;
    const { enabled = true, reserveTokens = RESERVE } = pi.getSettings().compaction ?? {};
    const compacts_at = enabled ? Math.max(usage.contextWindow - reserveTokens, 1) : null;
    return { tokens: usage.tokens, window: usage.contextWindow, model: model?.id ?? null, compacts_at };
  };

  /** Asks about an event; what is for the person is shown, the rest goes back. */
  async function tell(context: PiContext, more: Partial<Event> & Pick<Event, 'kind'>): Promise<InsideAnswer> {
    const { cwd, mode, hasUI, sessionManager, ui } = context;
    const event = {
      session: sessionManager.getSessionId(),
      transcript: sessionManager.getSessionFile() ?? null,
      ...{ cwd, promptId: null, agent: null },
      ...more,
    } as Event;
    const entrypoint = mode === 'print' || mode === 'json' ? `sdk-${mode}` : mode;
    const answer = await ask(event, { told: told(context), entrypoint });
    if (!hasUI) return answer;
    for (const each of answer.person) ui.notify(each, 'info');
    if (event.kind === 'prompt' || event.kind === 'after-tool') ui.setStatus(OUR_TYPE, showUsage(answer));
    return answer;
  }

  const on = (event: string, handler: Handler): void =>
    void pi.on(event, async (given, context) => {
      try {
        const session = context.sessionManager.getSessionId();
        if (session === servedByOther) return undefined;
        // Every copy hears of it before it is called at this event itself: the first one serves.
        if (event === 'session_start') pi.events.emit(SERVED, { session, by: self });
        return await handler(given, context);
      } catch (error) {
        report(event, error, context.cwd);
        return undefined;
      }
    });
  const message = (parts: readonly string[]) => ({
    ...{ customType: OUR_TYPE, content: parts.join('\n\n'), display: true },
  });
  const entry = (parts: readonly string[]) => ({ type: 'custom_message', ...message(parts) });

  on('session_start', async ({ reason }, context) => {
    if (reason === 'reload') return;
    const isBegun = context.sessionManager
      .getEntries()
      .some((each) => isObject(each) && (each.type === 'message' || each.type === 'compaction'));
    const source =
      reason === 'fork'
        ? 'fork'
        : isBegun || reason === 'resume'
          ? 'resume'
          : reason === 'new'
            ? 'clear'
            : 'startup';
    const { context: said } = await tell(context, {
      ...{ kind: 'session-start', source, model: context.model?.id ?? null },
    });
    owed.push(...said);
  });

  on('before_agent_start', async ({ messageType }, context) => {
    isHeld = false;
    const { context: said } = await tell(context, { kind: 'prompt', isNotice: messageType === 'custom' });
    const parts = [...owed, ...said];
    owed = [];
    return parts.length === 0 ? undefined : { message: message(parts) };
  });

  on('tool_call', async ({ toolName, toolCallId, input }, context) => {
    const call = readCall(text(toolName), isObject(input) ? input : {});
    inputs.set(text(toolCallId), call);
    const { verdict } = await tell(context, { kind: 'before-tool', ...call });
    if (verdict === null) return undefined;
    const reason = `Plimsoll: ${verdict.reason ?? ''}`;
    if (verdict.decision === 'warn') {
      owed.push(reason);
      return undefined;
    }
    const isAllowed =
      verdict.decision === 'ask' &&
      context.hasUI &&
      (await context.ui.confirm('Plimsoll', verdict.reason ?? ''));
    return isAllowed ? undefined : { block: true, reason };
  });

  const catchUp = async (context: PiContext): Promise<void> => {
    const event = waiting;
    waiting = null;
    if (event !== null) owed.push(...(await tell(context, event)).context);
  };

  // In the request it stands for this once; the turn's end makes it stay.
  on('context', async ({ messages }, context) => {
    await catchUp(context);
    if (owed.length === 0) return undefined;
    const content = [{ type: 'text', text: owed.join('\n\n') }];
    shown.push(...owed);
    owed = [];
    return { messages: [...items(messages), { role: 'user', content, timestamp: 0 }] };
  });

  on('turn_end', async ({ message: said, toolResults, entries }, context) => {
    answered = lastAnswer([isObject(said) ? said : {}]);
    const results = items(toolResults);
    const runs = results.map((result): ToolRun => {
      const call = inputs.get(text(result.toolCallId)) ?? { tool: text(result.toolName), input: {} };
      const output = readMessageText(result.content);
      return { ...call, output, ending: endingOf(output, result.isError === true) };
    });
    inputs = new Map();
    const calls = results.map(({ toolCallId }) => text(toolCallId));
    if (calls.length > 0) waiting = { kind: 'after-tool', calls, payload: { calls: runs } };
    if (shown.length === 0) await catchUp(context);
    const parts = [...shown, ...owed];
    shown = [];
    owed = [];
    return parts.length === 0 ? undefined : { entries: [...items(entries), entry(parts)] };
  });

  on('session_before_compact', async ({ preparation, reason, customInstructions }, context) => {
    const trigger = reason === 'manual' ? 'manual' : 'auto';
    const instructions = text(customInstructions) || null;
    const { context: facts } = await tell(context, { kind: 'pre-compact', trigger, instructions });
    if (facts.length === 0 || !isObject(preparation)) return;
    // What is summarised is all that a summary can be told by.
    const lists = [preparation.messagesToSummarize, preparation.turnPrefixMessages].filter(Array.isArray);
    const list = lists.find((each) => each.length > 0);
    list?.push({ role: 'user', content: [{ type: 'text', text: facts.join('\n\n') }], timestamp: 0 });
  });

  on('session_compact', async (_, context) => {
    const { context: said } = await tell(context, {
      ...{ kind: 'session-start', source: 'compact', model: context.model?.id ?? null },
    });
    owed.push(...said);
  });

  on('agent_before_settle', async ({ entries }, context) => {
    await catchUp(context);
    const { blockStop } = await tell(context, { kind: 'stop', answer: answered, isHeld });
    if (blockStop === null) return undefined;
    isHeld = true;
    return { entries: [...items(entries), entry([blockStop])], continue: true };
  });

  on('session_shutdown', async ({ reason }, context) => {
    if (reason !== 'reload') await tell(context, { kind: 'session-end', reason: text(reason) || 'other' });
  });
}
