// A fact that a text may have to tell, and how calls name files and commands.

import type { ProbedCall } from '../hosts/claude-code/replay/read-talk.ts';
import { TOOL } from '../hosts/claude-code/replay/tool-names.ts';
import { normalizeSpace } from './same-command.ts';

export const FACT_KINDS = [
  'files written',
  'files read',
  'failing commands',
  'their errors',
  'check commands',
  'other commands',
  'ids, ports, URLs',
  'last request',
  'open tasks',
  'call under way',
  'answers',
  'accepted plan',
  'standing rules',
  'corrections',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export interface ProbeFact {
  kind: FactKind;
  /** What it is: a path, a command, a sentence. */
  value: string;
  /** Any of these in a text tells the fact; as words where they are names. */
  told: { text: string; isWord: boolean }[];
  /** What else says when it is needed: the id of a task, the command of an error, the file of a plan. */
  of?: string;
}

const BEGINNING = 60;

/** The beginning of a text tells it; a name or a command only as a whole word. */
export const toldByBeginning = (value: string, isWord = false): ProbeFact['told'] => {
  const text = normalizeSpace(value);
  return [{ text: text.slice(0, BEGINNING).trim(), isWord: isWord && text.length < BEGINNING }];
};

export const findPath = ({ input }: ProbedCall): string =>
  typeof input.file_path === 'string'
    ? input.file_path
    : typeof input.notebook_path === 'string'
      ? input.notebook_path
      : '';
export const findCommand = ({ tool, input }: ProbedCall): string =>
  tool === TOOL.shell && typeof input.command === 'string' ? input.command : '';
