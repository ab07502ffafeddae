// Collects the facts of commands: which failed and how, which checks ran, what else was run.
import { findCommand, type ProbeFact, toldByBeginning } from './probe-fact.ts';
import type { ProbedCall } from './read-talk.ts';
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
export function collectCommandFacts(calls: readonly ProbedCall[]): ProbeFact[] {
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
