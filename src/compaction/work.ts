// The work as a checkpoint holds it, and the ways in which it is told in short.
import { redact } from '../text/redact.ts';

export interface WorkTask {
  id: string | null;
  subject: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** How the agent words the task while it is at it, or null. */
  active: string | null;
}

export interface Work {
  /** Last requests of the user, oldest first; with the one that they lean on (`lastRequests`). */
  requests: string[];
  tasks: WorkTask[];
  /** Paths of files written or edited, the latest last. */
  files_written: string[];
  /** Commands that failed and did not succeed since, the latest last. */
  failing_commands: { command: string; output: string }[];
  /** First lines of the last answer, or null. */
  last_answer: string | null;
  /** True when the epoch was longer than what was read. */
  truncated: boolean;
  /** True when the last turn has no end: a request, or the calls of an answer, that nothing final followed. */
  turn_open: boolean;
}

export const EMPTY_WORK: Work = {
  requests: [],
  tasks: [],
  files_written: [],
  failing_commands: [],
  last_answer: null,
  truncated: false,
  turn_open: false,
};

/** So many failing commands are kept; an older one may fail still. */
export const COMMANDS = 5;

/** Cuts text to a number of characters, at a word where there is one, and says so with an ellipsis. */
export function shorten(value: string, characters: number): string {
  const plain = value.trim();
  if (plain.length <= characters) return plain;
  const cut = plain.slice(0, Math.max(characters - 1, 1));
  const space = cut.lastIndexOf(' ');
  const end = space > characters * 0.6 ? space : cut.length;
  return `${cut
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

/** What is looked through behind a cut: half of a secret no longer looks like one. */
const BEHIND_CHARACTERS = 2_048;
/** So much of a word that what is looked through breaks off in is left out: it can be half of a secret. */
const HALF_CHARACTERS = 1_024;

function beginning(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = characters;
  while (end > characters - HALF_CHARACTERS && !/\s/.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

const ECHO =
  /^(?:Exit code \d+$|> |\$ |=== (?:RUN|PAUSE|CONT|NAME)\b|--- PASS|ok\s+\S+\s|PASS\b|[✓✔√] |npm (?:ERR!|error) (?:code|path|command|A complete log))/;
const FAULT =
  /(?<!\b(?:0|no) )\b(?:\w{0,40}error|fail(?:ed|ure|s)?|\w{0,40}exception|panic(?:ked)?|fatal|cannot|expected|not found|denied|undefined)\b|[✗✘×]/i;

/** The line of a failing command's output that says most: the first that names a fault, else the first; or null. */
export function usefulLine(output: string): string | null {
  const lines = output
    .replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !ECHO.test(line));
  return lines.find((line) => FAULT.test(line)) ?? lines[0] ?? null;
}

/** A private key has more lines than are kept: secrets are taken out of more than these. */
const ANSWER_CHARACTERS = 4_096;
const firstLines = (text: string): string => shorten(text.split('\n').slice(0, 6).join('\n'), 700);

/** First lines of an answer, without secrets. */
export const shortAnswer = (answer: string): string =>
  firstLines(redact(beginning(answer, ANSWER_CHARACTERS + BEHIND_CHARACTERS)).slice(0, ANSWER_CHARACTERS));

export const openTasks = (work: Work): WorkTask[] => work.tasks.filter((task) => task.status !== 'completed');
