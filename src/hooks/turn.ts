// Re-exports the handlers of prompts and tools as one chunk, which rare events do not load.
export { postToolUse } from './post-tool-use.ts';
export { promptSubmit } from './prompt-submit.ts';
