// The message that names subagents which finished without a note of what they did.

import { inline } from '../../text/escape.ts';
import { fitInline } from '../../text/lines.ts';
import { shellWord } from '../../text/shell-word.ts';

/** The most lines; of further agents only the number is given. */
const MOST = 5;

/** Longer names are not repeated: a shortened one could name another agent. */
const LONGEST = 40;

/** One line per agent with its type and first words, then the command that notes what it did. */
export function agentsDone(agents: readonly { type: string; answer: string | null }[]): string {
  const lines = agents.slice(0, MOST).map(({ type, answer }) => {
    const words = answer === null ? '' : ` ("${fitInline(answer, 40)}")`;
    return `- ${fitInline(type, 16)}${words}`;
  });
  const more = agents.length > MOST ? [`- and ${agents.length - MOST} more`] : [];
  const first = inline(agents[0]?.type ?? '');
  const name = first === '' || first.length > LONGEST ? 'NAME' : shellWord(first);
  return [
    '<context-monitor>',
    `${agents.length === 1 ? 'An agent has' : `${agents.length} agents have`} finished:`,
    ...lines,
    ...more,
    `One line for whoever comes after a compaction: plimsoll state agent done ${name} "what it did"`,
    '</context-monitor>',
  ].join('\n');
}
