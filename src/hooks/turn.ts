// What happens in a turn: prompts and tools. Rare moments do without their code.
export { postToolUse } from './post-tool-use.ts';
export { promptSubmit } from './prompt-submit.ts';
