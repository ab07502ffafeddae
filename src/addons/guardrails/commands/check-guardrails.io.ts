// Check "guardrails": the files keep the project's guardrails.

import type { CheckFinding, Level } from '../../../cli/check-finding.ts';
import type { Check } from '../../../cli/check-port.io.ts';
import { asWrite } from '../../../hosts/claude-code/tools/kinds.ts';
import type { GuardrailFinding } from '../../../hosts/verdict.ts';
import { findHome, makeRelative } from '../../../platform/project/paths.ts';
import { createDiskPort } from '../../../platform/real-paths.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { readGuardrailOptions } from '../../../settings/read-guardrails.ts';
import { loadAll } from '../../addon.ts';
import { describeChangedFile } from '../changed-file.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import { findLanguage } from '../imports/found-import.ts';
import { readImports } from '../imports/read-imports.ts';
import { checkChange } from '../judge.ts';
import { findLayer } from '../rules/layers.ts';
import { findPatternKey } from '../rules/path-rule.ts';

// Applies the guardrails to files that were changed without a tool call, such as those of a commit.
export interface Subject {
  /** Below the root, with `/`. */
  path: string;
  act: 'write' | 'remove';
  /** Neither a symbolic link nor a folder. */
  isPlain: boolean;
  /** As it is to be; null when it cannot be read. */
  text(): string | null;
  /** As it was before; null when it was not there. */
  before(): string | null;
}

interface Project extends Pick<GuardedCall, 'root' | 'home'> {
  sight: FileSystemPort;
  /** Whether the files are a change: only then places are judged, and what was there before is no error. */
  isChange: boolean;
  /** Whether a file is as Plimsoll itself writes it. */
  isOwn?: (file: Subject) => boolean;
}

/**
 * That no list names a place as writable holds back agents. People change what governs the work, which is its own
 * finding, and a commit may bring what Plimsoll has written.
 */
function withoutUnlisted(found: GuardrailFinding[], isOwn: boolean): GuardrailFinding[] {
  const isGoverned = found.some(({ saw }) => / of governance\.\w+ matches$/.test(saw));
  if (!isOwn && !isGoverned) return found;
  return found.filter(({ rule, saw }) => rule !== 'paths' || findPatternKey(saw) !== 'paths.writable');
}

/**
 * A refusal is an error; a question is a warning, since nobody can be asked; what governs the work may be changed by
 * people, so that it is a note unless the project denies it.
 */
function levelOf({ rule, decision }: GuardrailFinding, { mode }: GuardrailOptions): Level {
  const isDenied = decision === 'deny' && mode === 'enforce';
  if (rule === 'governance') return isDenied ? 'warning' : 'note';
  return isDenied ? 'error' : 'warning';
}

function findingOf(found: GuardrailFinding, { path, act }: Subject, options: GuardrailOptions): CheckFinding {
  const common = { check: 'guardrails', rule: found.rule, level: levelOf(found, options), file: path };
  if (found.breach !== undefined) {
    const { line, what, next } = found.breach;
    const isOld = found.decision === 'warn';
    return { ...common, line, message: isOld ? `${what}; it was there before this change` : what, next };
  }
  const { rule } = found;
  if (rule !== 'paths' && rule !== 'governance')
    return { ...common, line: null, message: found.saw, next: null };
  const message = describeChangedFile({ ...found, rule }, act === 'remove', options);
  // To refuse this would keep it in the project for good.
  if (act === 'remove' && findPatternKey(found.saw) === 'paths.secrets')
    return {
      ...common,
      level: 'note',
      line: null,
      message,
      next: 'what was committed stays in the history: replace the secret where it is used',
    };
  return {
    ...common,
    line: null,
    message,
    next:
      rule === 'paths'
        ? 'leave it out of the change, or change guardrails.paths'
        : 'a person decides: say in the commit what is changed and why',
  };
}

/** Text of a file whose imports are read; null for all others, which are not opened at all. */
const sourceOf = ({ path, isPlain, act }: Subject, read: () => string | null, options: GuardrailOptions) => {
  const { layers, one_class } = options.architecture;
  const isRead =
    isPlain && act === 'write' && findLanguage(path) !== null && (layers.length > 0 || one_class);
  return isRead ? { text: read() } : null;
};

function judgementsOf(subject: Subject, options: GuardrailOptions, project: Project): GuardrailFinding[] {
  const { root, home, sight, isChange } = project;
  const path = `${root}/${subject.path}`;
  const source = sourceOf(subject, subject.text, options);
  const before = isChange ? sourceOf(subject, subject.before, options) : null;
  const real = sight.resolve(path, false).path;
  const call: GuardedCall = {
    ...asWrite(path, source?.text ?? ''),
    cwd: root,
    root,
    home,
  };
  const change = {
    path,
    written: subject.path,
    act: subject.act,
    whole: false,
    follows: false,
    by: 'this change',
  } as const;
  const found = checkChange(change, call, options, {
    ...sight,
    read: (asked) => (asked === real ? (before?.text ?? null) : sight.read(asked)),
  });
  const held = found.filter(
    ({ decision, rule }) => decision !== 'abstain' && (isChange || rule === 'architecture'),
  );
  return held.some(({ rule }) => rule === 'paths')
    ? withoutUnlisted(held, project.isOwn?.(subject) ?? false)
    : held;
}

/** Source in a layer that could not be opened: it is not judged, and that is said. */
function unread(subject: Subject, options: GuardrailOptions): CheckFinding[] {
  const source = sourceOf(subject, subject.text, options);
  if (
    source === null ||
    source.text !== null ||
    findLayer([subject.path], options.architecture.layers) === null
  )
    return [];
  return [
    {
      check: 'guardrails',
      rule: 'unread',
      level: 'warning',
      file: subject.path,
      line: null,
      message: 'cannot be read, or is larger than 2 MB: its imports were not judged',
      next: 'make it a file that you may read, or name it in guardrails.architecture.exempt',
    },
  ];
}

/** By the very rules that judge a tool call: a changed file as a Write of it, one that is gone as its removal. */
export function buildGuardrailFindings(
  files: readonly Subject[],
  options: GuardrailOptions,
  project: Project,
): CheckFinding[] {
  if (options.mode === 'off') {
    return [
      {
        check: 'guardrails',
        rule: 'off',
        level: 'note',
        file: null,
        line: null,
        message: 'guardrails.mode is "off": no file was judged by them',
        next: 'plimsoll config set guardrails.mode warn --scope project, or enforce',
      },
    ];
  }
  return files.flatMap((file) => [
    ...judgementsOf(file, options, project).map((each) => findingOf(each, file, options)),
    ...unread(file, options),
  ]);
}

export const guardrailsCheck: Check = {
  name: 'guardrails',
  rules: {
    architecture: 'A file imports what its layer may not (guardrails.architecture).',
    paths: 'A file is changed that is protected, secret or outside what may be written (guardrails.paths).',
    governance: 'A file is changed that governs the work: C3 or C4 (guardrails.governance).',
    unread: 'A file in a layer could not be read.',
    off: 'Guardrails are off.',
  },
  async look({ files, read, place, root, scope }) {
    const ownTexts = await loadAll((addon) => addon.loadOwnFiles?.());
    // A file exactly as `init` writes it; any other text of such a file counts as governing.
    const isOwn = ({ path, act, text, before }: Subject): boolean =>
      act === 'write' && ownTexts.some((ownText) => text() === ownText(path, before));
    return buildGuardrailFindings(files, readGuardrailOptions(place.resolved.settings), {
      root,
      home: findHome(place.env),
      isChange: scope !== 'all',
      isOwn,
      sight: {
        ...createDiskPort(root),
        read: (path) => read(makeRelative(path, root)),
        commands: null,
        imports: readImports,
      },
    });
  },
};
