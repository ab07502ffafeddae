// An earlier session with some work and its end, and the two ways in which a new session hears of it.
import path from 'node:path';
import { answer, request, toolResult, toolUse } from '../unit/lines.ts';
import type { Host } from './host.ts';
import { type Talk, talk } from './talk.ts';

const TODOS = [
  { content: 'Write the parser', status: 'in_progress', activeForm: 'Writing the parser' },
  { content: 'Run all tests', status: 'pending', activeForm: 'Running all tests' },
];

/** A session that asked for something, wrote a file and left two tasks open. */
export function work(host: Host, id: string, todos: object[] = TODOS): Talk {
  const a = talk(host, id);
  a.fire('SessionStart', { source: 'startup' });
  a.fire('UserPromptSubmit', { prompt: 'x' });
  const file = path.join(host.project, 'src/lexer.ts');
  a.write(
    request('Port the expression compiler to TypeScript'),
    toolUse('t1', 'TodoWrite', { todos }),
    toolResult('t1'),
    toolUse('t2', 'Write', { file_path: file, content: 'x' }),
    toolResult('t2'),
    answer(60_000, { id: 'm9', content: [{ type: 'text', text: 'The lexer is done.' }] }),
  );
  a.fire('PostToolUse', { tool_use_id: 't2' });
  a.fire('Stop', { last_assistant_message: 'The lexer is done.' });
  return a;
}

export const end = async (a: Talk, reason = 'prompt_input_exit'): Promise<void> => {
  a.fire('SessionEnd', { reason });
  await a.kill();
};

export const CONTEXT = '<resumption-context>\nAn earlier session';
export const POINTER = '<resumption-context>Earlier session here';
