// What is said when subagents have finished whose work nobody has noted yet?
import { shellWord } from '../model/shell-word.ts';
import { inline } from './escape.ts';
import { say } from './lines.ts';

/** Lines at the most; of more agents their number is said. */
const MOST = 5;

/** Longer names are not repeated: cut, one would be another agent's. */
const LONGEST = 40;

/** A line an agent: its type, its first words, and the command that notes what it did. */
export function agentsDone(agents: readonly { type: string; answer: string | null }[]): string {
  const lines = agents.slice(0, MOST).map(({ type, answer }) => {
    const words = answer === null ? '' : ` ("${say(answer, 40)}")`;
    return `- ${say(type, 16)}${words}`;
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
