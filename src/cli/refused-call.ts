// Turns what the parser of the command line refuses into an error of ours: what was not understood, and the next step.
import type { Command, CommanderError } from 'commander';
import { PlimsollError } from '../text/plimsoll-error.ts';

/** The command that the words name, and those that are left. */
function findCalled(
  root: Command,
  words: readonly string[],
): { command: Command; call: string; left: string[] } {
  let command = root;
  let call = root.name();
  for (const [index, word] of words.entries()) {
    const named = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (named === undefined) return { command, call, left: words.slice(index) };
    command = named;
    call = `${call} ${word}`;
  }
  return { command, call, left: [] };
}

/** The error for a call that was not understood. */
export function buildRefusal(
  { code, message }: CommanderError,
  root: Command,
  words: readonly string[],
): PlimsollError {
  const { command, call, left } = findCalled(
    root,
    words.filter((word) => word !== '--json'),
  );
  const names = command.commands.map((each) => each.name());
  const hint = `${call} --help ${names.length > 0 ? 'lists the commands' : 'shows how it is called'}`;
  if (names.length > 0 && left.length === 0)
    return new PlimsollError('usage', `${call} is called with a command: ${names.join(', ')}`, { hint });
  if (code === 'commander.help')
    return new PlimsollError('usage', `unknown command '${left.at(-1)}'`, { hint });
  const isText = code === 'commander.unknownOption' && /'-[^']*\s/.test(message);
  return new PlimsollError('usage', message.replace(/^error: /, '').replaceAll('\n', ' '), {
    hint: isText
      ? 'a text that begins with "-" goes behind "--", after all options: plimsoll state next -- "- this"'
      : hint,
  });
}
