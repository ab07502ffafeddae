// The add-ons, one line each: nothing else outside of an add-on's folder names it.
export { check } from './check/index.ts';
export { guardrails } from './guardrails/index.ts';
export { orchestration } from './orchestration/index.ts';
export { rules } from './rules/index.ts';
export { tracks } from './tracks/index.ts';
