// Finds the size of the model's context window from the best evidence; the transcript does not state it.
import type { HostLimits } from '../hosts/host.ts';
import type { Confidence } from './usage.ts';

export interface ContextWindow {
  /** Size in tokens. */
  tokens: number;
  source: 'config' | 'client' | 'usage' | 'mark' | 'table' | 'default';
  confidence: Confidence;
}

/** What can be known about a window; all of it is optional. */
export interface WindowEvidence {
  /** Size set by the user, in tokens. */
  configured?: number | null;
  /** Size that the client itself tells, in tokens. */
  fed?: number | null | undefined;
  /** Model id of the last answer. */
  model: string | null;
  /** Largest usage seen with this model, in tokens. */
  peak: number;
  /** True when a `[1m]` mark names this model. */
  marked: boolean;
  /** Sizes by part of a model id, in tokens, set by the user; they beat the built-in table. */
  table?: Record<string, number>;
  /** What the host knows about its models. */
  limits: Pick<HostLimits, 'windowOf' | 'allowsLarge'>;
  /** Environment of the client, as far as it decides the window. */
  env?: Record<string, string | undefined>;
}

export const STANDARD_WINDOW = 200_000;
export const LARGE_WINDOW = 1_000_000;
const CLASSES = [STANDARD_WINDOW, LARGE_WINDOW];

function fromTable(evidence: WindowEvidence): ContextWindow {
  const { model, env = {}, limits } = evidence;
  if (model !== null) {
    const own = Object.entries(evidence.table ?? {}).find(([part]) => model.includes(part));
    if (own) return { tokens: own[1], source: 'table', confidence: 'inferred' };
    const tokens = limits.windowOf(model, env);
    if (tokens !== null) return { tokens, source: 'table', confidence: 'inferred' };
  }
  return { tokens: STANDARD_WINDOW, source: 'default', confidence: 'assumed' };
}

/** Whether a marked name is this model: the same id, with a date or not, or the family alone as in `sonnet`. */
export function isMarked(marks: Record<string, boolean>, model: string | null): boolean {
  if (model === null) return false;
  return Object.entries(marks).some(([name, marked]) => {
    if (!marked) return false;
    if (/^[a-z]+$/.test(name)) return model.includes(name);
    const at = model.indexOf(name);
    return at >= 0 && /^(?:$|[-@]\d{8}|[^\d-]|-[^\d])/.test(model.slice(at + name.length));
  });
}

/**
 * The window that the evidence supports, first that answers: configured size; what the client itself tells; `[1m]` mark; the model table; 200,000.
 * A measured usage above a size that neither the user set nor the client told disproves it: the next class, or the usage itself.
 * A usage above 200,000 also confirms a large window that only the table knew.
 */
export function findWindow(evidence: WindowEvidence): ContextWindow {
  if (evidence.fed && !evidence.configured) {
    return { tokens: evidence.fed, source: 'client', confidence: 'certain' };
  }
  const known: ContextWindow = evidence.configured
    ? { tokens: evidence.configured, source: 'config', confidence: 'certain' }
    : evidence.marked && evidence.limits.allowsLarge(evidence.env ?? {})
      ? { tokens: LARGE_WINDOW, source: 'mark', confidence: 'inferred' }
      : fromTable(evidence);
  if (known.source === 'config') return known;
  if (evidence.peak > known.tokens) {
    const next = CLASSES.find((size) => size >= evidence.peak) ?? evidence.peak;
    return { tokens: next, source: 'usage', confidence: 'inferred' };
  }
  if (known.source === 'table' && known.tokens > STANDARD_WINDOW && evidence.peak > STANDARD_WINDOW) {
    return { ...known, source: 'usage' };
  }
  return known;
}
