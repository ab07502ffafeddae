// Collects what judges a tool call, for the few that the quick check does not let pass: the verdict bundle.

export { checkCall } from '../addons/guardrails/hook/guard-verdict.io.ts';
export { evaluationOf } from '../addons/tracks/files/track-gate.io.ts';
