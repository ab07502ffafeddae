// Collects by fixed rules the facts from before a compaction that a text may have to tell after it.

import type { ProbedCall, ProbedTalk } from '../hosts/claude-code/replay/read-talk.ts';
import { TOOL, WRITING_TOOLS } from '../hosts/claude-code/replay/read-talk.ts';
import { isObject } from '../text/json.ts';
import type { FactKind, ProbeFact } from './probe-fact.ts';
import { findCommand, findConstraints, findPath, toldByBeginning } from './probe-fact.ts';
import { extractChecks, extractKern, normalizeSpace } from './same-command.ts';

const LOOKS_ONLY =
  /^(?:grep|rg|ls|cat|find|which|test|diff|head|tail|sed -n|wc|jq|git (?:show|grep|diff|log|ls-\S*))(?:\s|$)/;
/** Commands that only look around, with nothing but how much they print. */
const IDLE =
  /^(?:git (?:status|diff|log|branch|fetch|pull|push|stash)|ls|pwd)(?: --(?:oneline|stat|short)| -\d+)*$/;
const FAULT = /\b(?:error|fail|panic|fatal|cannot|expected|not found|denied|undefined)|[✗✘×]/gi;

function namesFault(line: string): boolean {
  for (const { index } of line.matchAll(FAULT)) {
    if (!/\b(?:0|no)\s+$/i.test(line.slice(0, index))) return true;
  }
  return false;
}

/** The line of a failing output that says most. */
function findError(output: string): string | null {
  const lines = output
    .split('\n')
    .map(normalizeSpace)
    .filter((line) => line !== '' && !/^Exit code \d+$/.test(line) && !/^(?:> |\$ |\+ )/.test(line));
  const line = lines.find(namesFault) ?? lines[0];
  return line === undefined || line.length < 12 ? null : line;
}

/** Failing commands with their errors, checks, and every other command. */
function collectCommandFacts(calls: readonly ProbedCall[]): ProbeFact[] {
  const failing = new Map<string, ProbedCall>();
  const checks = new Set<string>();
  const others = new Set<string>();
  for (const call of calls) {
    const command = findCommand(call);
    if (command === '' || call.outcome === 'rejected') continue;
    const kern = extractKern(command);
    failing.delete(kern);
    if (call.outcome === 'failed' && !LOOKS_ONLY.test(kern)) failing.set(kern, call);
    const found = extractChecks(command);
    for (const check of found) checks.add(check);
    if (found.length === 0 && kern.length > 4 && !IDLE.test(kern)) others.add(kern);
  }
  const facts: ProbeFact[] = [];
  for (const [kern, call] of failing) {
    facts.push({ kind: 'failing commands', value: kern, told: toldByBeginning(kern, true) });
    const error = findError(call.output ?? '');
    if (error !== null)
      facts.push({ kind: 'their errors', value: error, told: toldByBeginning(error), of: kern });
  }
  for (const check of checks)
    facts.push({ kind: 'check commands', value: check, told: toldByBeginning(check, true) });
  for (const kern of others)
    facts.push({ kind: 'other commands', value: kern, told: toldByBeginning(kern, true) });
  return facts;
}

const REQUEST = 80;
const FIRST_OUTPUT = 400;

/** The last parts of a path that tell it from the other known ones. */
function shortestName(path: string, known: ReadonlySet<string>): string {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? path;
  const alike = [...known].filter((each) => each.split('/').at(-1) === last);
  return alike.length > 1 ? parts.slice(-2).join('/') : last;
}

function fileFacts(calls: readonly ProbedCall[]): ProbeFact[] {
  const written = new Set<string>();
  const read = new Set<string>();
  for (const call of calls) {
    const path = findPath(call);
    if (path === '') continue;
    if (WRITING_TOOLS.test(call.tool) && (call.outcome === 'done' || call.outcome === 'unknown'))
      written.add(path);
    if (call.tool === TOOL.read) read.add(path);
  }
  const known = new Set([...written, ...read]);
  const fact = (kind: FactKind, path: string): ProbeFact => ({
    kind,
    value: path,
    told: [{ text: shortestName(path, known), isWord: true }],
  });
  return [
    ...[...written].map((path) => fact('files written', path)),
    ...[...read].filter((path) => !written.has(path)).map((path) => fact('files read', path)),
  ];
}

const TOKENS = [
  /\bhttps?:\/\/[^\s<>"'`)\]}]+/g,
  /\b[A-Z]{2,10}-\d+\b/g,
  /(?<![\w&])#\d+\b/g,
  /\blocalhost:\d{2,5}\b/g,
  /\bport \d{2,5}\b/gi,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g,
];

function idFacts({ calls, requests }: ProbedTalk): ProbeFact[] {
  const texts = [
    ...requests.map(({ text }) => text.slice(0, 2_000)),
    ...calls
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ output }) => (output ?? '').slice(0, FIRST_OUTPUT)),
  ];
  const found = new Set(
    texts.flatMap((text) =>
      TOKENS.flatMap((token) => (text.match(token) ?? []).map((each) => each.replace(/[.,;:!?]+$/, ''))),
    ),
  );
  return [...found].map((value) => ({
    kind: 'ids, ports, URLs' as const,
    value,
    told: [{ text: normalizeSpace(value), isWord: true }],
  }));
}

interface Task {
  id: string;
  subject: string;
  isOpen: boolean;
}

/** What the list of tasks came to: the last list that was written, and what single calls made and changed. */
function openTasksOf(calls: readonly ProbedCall[]): Task[] {
  let tasks: Task[] = [];
  for (const { tool, input, outcome, output, detail } of calls) {
    if (outcome === 'failed' || outcome === 'rejected') continue;
    if (tool === TOOL.setTasks && Array.isArray(input.todos)) {
      tasks = input.todos.filter(isObject).map((each) => ({
        id: '',
        subject: String(each.content ?? ''),
        isOpen: each.status !== 'completed',
      }));
    } else if (tool === TOOL.addTask) {
      const made = isObject(detail) && isObject(detail.task) ? detail.task.id : undefined;
      const id = String(made ?? /#(\d+)/.exec(output ?? '')?.[1] ?? '');
      tasks.push({ id, subject: String(input.subject ?? ''), isOpen: true });
    } else if (tool === TOOL.changeTask) {
      const task = tasks.findLast((each) => each.id !== '' && each.id === String(input.taskId));
      if (task === undefined) continue;
      if (typeof input.subject === 'string') task.subject = input.subject;
      if (input.status !== undefined)
        task.isOpen = input.status !== 'completed' && input.status !== 'deleted';
    }
  }
  return tasks.filter((task) => task.isOpen && task.subject !== '');
}

/** What a call is about, as it is compared: a path, a command, a pattern, a description. */
export function describeCall(call: ProbedCall): string {
  const path = findPath(call);
  if (path !== '') return path;
  const command = findCommand(call);
  if (command !== '') return extractKern(command);
  const { pattern, description } = call.input;
  return typeof pattern === 'string'
    ? normalizeSpace(pattern)
    : typeof description === 'string'
      ? normalizeSpace(description)
      : '';
}

const PLAN = 'Implement the following plan:';
const firstLine = (text: string): string =>
  normalizeSpace(
    text
      .split('\n')
      .find((line) => normalizeSpace(line) !== '')
      ?.replace(/^#+\s*/, '') ?? '',
  );

function planFacts({ calls, requests }: ProbedTalk): ProbeFact[] {
  const facts: ProbeFact[] = [];
  const add = (line: string, file: string | null): void => {
    if (line === '') return;
    facts.push({
      kind: 'accepted plan',
      value: line,
      told: [
        ...toldByBeginning(line),
        ...(file === null ? [] : [{ text: file.split('/').at(-1) ?? file, isWord: true }]),
      ],
      ...(file === null ? {} : { of: file }),
    });
  };
  for (const call of calls) {
    if (call.tool !== TOOL.plan || call.outcome !== 'done') continue;
    const file = /saved to:\s*(\S+)/.exec(call.output ?? '')?.[1];
    const written =
      isObject(call.detail) && typeof call.detail.filePath === 'string' ? call.detail.filePath : null;
    add(firstLine(typeof call.input.plan === 'string' ? call.input.plan : ''), file ?? written);
  }
  for (const { text } of requests) {
    if (text.startsWith(PLAN)) add(firstLine(text.slice(PLAN.length)), null);
  }
  return facts;
}

function answerFacts(calls: readonly ProbedCall[]): ProbeFact[] {
  return calls
    .filter(({ tool, outcome }) => tool === TOOL.question && outcome === 'done')
    .flatMap(({ output }) => [...(output ?? '').matchAll(/"[^"]*"="([^"]*)"/g)])
    .map(([, answer = '']) => normalizeSpace(answer.replace(/ \(Recommended\)/g, '')))
    .filter((answer) => answer !== '')
    .map((value) => ({ kind: 'answers' as const, value, told: [{ text: value, isWord: false }] }));
}

function requestFacts({ requests }: ProbedTalk): ProbeFact[] {
  const facts: ProbeFact[] = [];
  const last = requests.findLast(
    ({ text, isRefusal }) => !isRefusal && (text.length >= 25 || text.startsWith('/')),
  );
  if (last !== undefined) {
    const value = normalizeSpace(last.text);
    facts.push({
      kind: 'last request',
      value,
      told: [{ text: value.slice(0, REQUEST).trim(), isWord: false }],
    });
  }
  const early = Math.max(1, Math.ceil(requests.length * 0.2));
  for (const [index, { text }] of requests.entries()) {
    for (const value of findConstraints(text))
      facts.push({
        kind: index < early ? 'standing rules' : 'corrections',
        value,
        told: toldByBeginning(value),
      });
  }
  return facts;
}

/** All facts of what stood before a compaction. */
export function collectProbeFacts(talk: ProbedTalk): ProbeFact[] {
  const { calls, underWay } = talk;
  const about = underWay === null ? '' : describeCall(underWay);
  const name = about.split('/').at(-1) ?? '';
  return [
    ...fileFacts(calls),
    ...collectCommandFacts(calls),
    ...idFacts(talk),
    ...openTasksOf(calls).map((task) => ({
      kind: 'open tasks' as const,
      value: task.subject,
      told: toldByBeginning(task.subject),
      of: task.id,
    })),
    ...(about === ''
      ? []
      : [
          {
            kind: 'call under way' as const,
            value: about,
            told:
              underWay !== null && findPath(underWay) !== ''
                ? [{ text: name, isWord: true }]
                : toldByBeginning(about),
          },
        ]),
    ...answerFacts(calls),
    ...planFacts(talk),
    ...requestFacts(talk),
  ];
}
