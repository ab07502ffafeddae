// Runs `plimsoll explain`: shows what was announced in a session and why, or why nothing was, in plain sentences.

import { type Output, toJson } from '../cli/output.io.ts';
import type { ProjectContext } from '../cli/project.io.ts';
import { exists } from '../platform/look.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import { findSession } from '../sessions/commands/find-session.io.ts';
import { readDecisions } from '../sessions/last-runs.io.ts';
import { readSessionState } from '../sessions/session-states.io.ts';
import { decisionData, describeDecision, silencedBy } from './describe-decision.io.ts';

export interface ExplainOptions {
  session?: string;
  json?: boolean;
}

export function explain(place: ProjectContext, options: ExplainOptions, output: Output): void {
  const { session } = options;
  const isKnown = session !== undefined && exists(place.paths.session(session).runs);
  const id = isKnown ? session : findSession(place, { ...options, mayBeOwn: true }).id;
  const decisions = readDecisions(place.paths, id);
  const state = tryOrNull(() => readSessionState(place.paths, id));
  const silenced = silencedBy(place, state);
  if (options.json) {
    const list = decisions.map((each) => decisionData(each, place.now));
    output.print(toJson({ session: id, silenced, decisions: list }));
    return;
  }
  output.print(
    [
      `Session ${id}`,
      ...decisions.map((each) => describeDecision(each, place.now)),
      ...(decisions.length > 0 ? [] : ['No hook of ours has run at a prompt or a tool of this session.']),
      ...(silenced === null ? [] : [`Now nothing is said, because ${silenced}.`]),
    ].join('\n'),
  );
}
