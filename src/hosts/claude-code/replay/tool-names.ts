// Names of Claude Code's tools, as `probe` looks for them by rules of its own.
export const FILE_TOOLS = /^(?:Read|Write|Edit|MultiEdit|NotebookEdit)$/;
export const WRITING_TOOLS = /^(?:Write|Edit|MultiEdit|NotebookEdit)$/;

export const TOOL = {
  read: 'Read',
  shell: 'Bash',
  setTasks: 'TodoWrite',
  addTask: 'TaskCreate',
  changeTask: 'TaskUpdate',
  plan: 'ExitPlanMode',
  question: 'AskUserQuestion',
} as const;
