// Collects what judges, for the few calls that the quick check does not let pass: the verdict bundle.

export { checkCall } from './guard-verdict.io.ts';
export { buildChangedFileActions } from './worktree-verdict.io.ts';
