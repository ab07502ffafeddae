// Takes what was said out of the entries of a transcript: the words of people, commands, outputs, answers.
import type { TranscriptEntry } from '../hosts/entry.ts';
import type { Saying } from './search.ts';

/** Calls that are remembered until their output comes. */
const CALLS = 500;
/** Stands for a call whose output is not looked at. */
const UNTOLD = '';
/** A search is no memory of what it finds. */
const OWN_SEARCH = /\bplimsoll(?:\.cjs|\.js)?\s+recall\b|\bcli\.cjs\s+recall\b/;

type Said = Pick<Saying, 'who' | 'of' | 'text'>;

/** Gives what each entry says; entries come in the order of the file. */
export function startSayings(): (entry: TranscriptEntry) => Said[] {
  const calls = new Map<string, string>();
  /** Requests in the host's queue: each stands once more where the agent is given it. */
  const queued = new Set<string>();
  const remember = (call: string, what: string): void => {
    calls.set(call, what);
    if (calls.size > CALLS) calls.delete(calls.keys().next().value ?? '');
  };
  return (entry) => {
    switch (entry.kind) {
      case 'request': {
        const isOwn = entry.by === 'person' || entry.by === 'queued' || entry.by === 'command';
        const text = entry.command === null ? entry.text : `${entry.command} ${entry.text}`.trim();
        const isInQueue = entry.by === 'queued' && entry.id === null;
        if (isInQueue) queued.add(text);
        else if (isOwn && queued.delete(text)) return [];
        return [{ who: isOwn ? 'user' : 'other', of: null, text }];
      }
      case 'answer':
        return [{ who: 'agent', of: null, text: entry.text }];
      case 'call': {
        const { action, tool } = entry;
        if (action.type === 'plan') return [{ who: 'agent', of: 'plan', text: action.text }];
        if (action.type !== 'run') {
          remember(entry.call, 'path' in action && action.path ? action.path : tool);
          return [];
        }
        const isSearch = OWN_SEARCH.test(action.command);
        remember(entry.call, isSearch ? UNTOLD : action.command);
        return isSearch ? [] : [{ who: 'command', of: action.description, text: action.command }];
      }
      case 'result': {
        const of = calls.get(entry.call) ?? null;
        calls.delete(entry.call);
        const { reason, answers, output } = entry;
        if (answers.length > 0)
          return answers.map(({ question, answer }) => ({ who: 'answer', of: question, text: answer }));
        if (reason !== null) return [{ who: 'refusal', of, text: reason }];
        return of === UNTOLD ? [] : [{ who: 'output', of, text: output }];
      }
      default:
        return [];
    }
  };
}
