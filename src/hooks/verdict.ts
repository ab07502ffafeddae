// Collects what judges a tool call, for the few that the quick check does not let pass: the verdict bundle.
export { evaluationOf } from '../store/track-gate.ts';
export { judgeCall } from './guard-verdict.ts';
