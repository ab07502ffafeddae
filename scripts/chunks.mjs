// Lists the chunks that the hooks consist of, the size limit of each, and how each is loaded.
import { basename } from 'node:path';

/** The chunks, each with its source file and its size limit in bytes; the hot entry loads the others only when needed. */
export const CHUNKS = {
  hook: { entry: 'src/hooks/main.ts', limit: 12 * 1024 },
  respond: { entry: 'src/hooks/respond.ts', limit: 18 * 1024 },
  current: { entry: 'src/hooks/current.ts', limit: 4 * 1024 },
  attend: { entry: 'src/hooks/attend.ts', limit: 40 * 1024 },
  turn: { entry: 'src/hooks/turn.ts', limit: 40 * 1024 },
  'pre-compact': { entry: 'src/hooks/pre-compact.ts', limit: 48 * 1024 },
  alert: { entry: 'src/hooks/alert.ts', limit: 48 * 1024 },
  checkpoint: { entry: 'src/hooks/checkpoint.ts', limit: 40 * 1024 },
  // The ledger: loaded at the end of a turn, at a rise and around a compaction.
  thread: { entry: 'src/compaction/thread.io.ts', limit: 70 * 1024 },
  checkpoints: { entry: 'src/store/checkpoints.ts', limit: 40 * 1024 },
  'checkpoint-files': { entry: 'src/store/checkpoint-files.ts', limit: 40 * 1024 },
  'session-start': { entry: 'src/hooks/session-start.ts', limit: 40 * 1024 },
  project: { entry: 'src/hooks/project.ts', limit: 40 * 1024 },
  resume: { entry: 'src/hooks/resume.ts', limit: 40 * 1024 },
  left: { entry: 'src/store/left.ts', limit: 40 * 1024 },
  workflow: { entry: 'src/hooks/workflow.ts', limit: 40 * 1024 },
  capture: { entry: 'src/hooks/capture.ts', limit: 40 * 1024 },
  missed: { entry: 'src/hooks/missed.ts', limit: 8 * 1024 },
  'missed-calls': { entry: 'src/hooks/missed-calls.ts', limit: 40 * 1024 },
  transient: { entry: 'src/store/transient.ts', limit: 40 * 1024 },
  'recent-diff': { entry: 'src/store/recent-diff.ts', limit: 40 * 1024 },
  'track-told': { entry: 'src/store/track-told.ts', limit: 40 * 1024 },
  // Loaded before a compaction, where a track is worked on.
  'keep-compaction': { entry: 'src/store/keep-compaction.ts', limit: 40 * 1024 },
  'track-start': { entry: 'src/hooks/track-start.ts', limit: 40 * 1024 },
  stop: { entry: 'src/hooks/stop.ts', limit: 40 * 1024 },
  guard: { entry: 'src/hooks/guard.ts', limit: 20 * 1024 },
  'guard-verdict': { entry: 'src/hooks/guard-verdict.ts', limit: 48 * 1024 },
  // Loaded where guardrails are on and there are tracks.
  'track-gate': { entry: 'src/store/track-gate.ts', limit: 40 * 1024 },
  changed: { entry: 'src/hooks/changed.ts', limit: 20 * 1024 },
  'changed-verdict': { entry: 'src/hooks/changed-verdict.ts', limit: 40 * 1024 },
  'look-now': { entry: 'src/store/look-now.ts', limit: 20 * 1024 },
  'stop-gate': { entry: 'src/hooks/stop-gate.ts', limit: 40 * 1024 },
  'subagent-stop': { entry: 'src/hooks/subagent-stop.ts', limit: 40 * 1024 },
  'session-end': { entry: 'src/hooks/session-end.ts', limit: 40 * 1024 },
  retention: { entry: 'src/store/retention.ts', limit: 40 * 1024 },
  sessions: { entry: 'src/store/sessions.ts', limit: 40 * 1024 },
  record: { entry: 'src/store/record.ts', limit: 40 * 1024 },
  // The YAML parser comes with it: loaded only after a compaction, where `state.auto_merge` asks for it.
  'merge-checkpoint': { entry: 'src/store/merge-checkpoint.ts', limit: 160 * 1024 },
  // The shell parser comes with it: loaded for a command that may change files, where guardrails are on.
  'command-changes': { entry: 'src/store/command-changes.ts', limit: 192 * 1024 },
  // Loaded for an edit of a file in a layer of `guardrails.architecture`.
  'unknown-path': { entry: 'src/model/guardrails/unknown-path.ts', limit: 20 * 1024 },
  tools: { entry: 'src/model/guardrails/tools.ts', limit: 20 * 1024 },
  unready: { entry: 'src/model/guardrails/unready.ts', limit: 20 * 1024 },
  reading: { entry: 'src/model/guardrails/reading.ts', limit: 20 * 1024 },
  architecture: { entry: 'src/model/guardrails/architecture.ts', limit: 20 * 1024 },
  'read-imports': { entry: 'src/model/guardrails/imports/read-imports.ts', limit: 40 * 1024 },
  // Loaded where a project has an ORCHESTRATION.yaml.
  outline: { entry: 'src/model/outline.ts', limit: 16 * 1024 },
  'state-folder': { entry: 'src/store/state-folder.ts', limit: 8 * 1024 },
  failures: { entry: 'src/store/failures.ts', limit: 40 * 1024 },
  feed: { entry: 'src/store/feed.ts', limit: 40 * 1024 },
  plugin: { entry: 'src/hooks/plugin.ts', limit: 24 * 1024 },
  settings: { entry: 'src/hooks/settings.ts', limit: 40 * 1024 },
  load: { entry: 'src/config/load.ts', limit: 56 * 1024 },
  statusline: { entry: 'src/cli/statusline-main.ts', limit: 40 * 1024 },
  redact: { entry: 'src/model/redact.ts', limit: 16 * 1024 },
  secrets: { entry: 'src/model/secrets.ts', limit: 40 * 1024 },
};

/**
 * Chunks whose functions others import statically but need seldom: such a chunk is loaded when one of its functions is
 * first called.
 */
export const LATE = {
  architecture: ['judgeArchitecture'],
  'unknown-path': ['judgeUnknown'],
  tools: ['judgeTools'],
  unready: ['judgeTrackGate'],
  outline: ['outlineOf'],
  // Several chunks of one moment need it, and its expressions are made once.
  redact: ['redact', 'redactAll', 'redactDeep'],
  secrets: ['hide', 'hideAll', 'hideDeep'],
  checkpoints: ['checkCheckpoint', 'newestOf', 'readCheckpoint'],
};

/** What a client starts: these load the others. */
export const ENTRIES = ['hook.cjs', 'plugin.cjs'];
/** Chunks whose functions are compiled at once, because most of their code runs whenever they are loaded. */
export const EAGER = [
  ...ENTRIES.map((name) => basename(name, '.cjs')),
  ...[
    'respond',
    'attend',
    'guard',
    'guard-verdict',
    'keep-compaction',
    'stop',
    'pre-compact',
    'session-end',
    'session-start',
    'left',
    'project',
  ],
  ...['record', 'checkpoints', 'statusline'],
];

/** Chunks that run as programs, as hooks or as the status line; they export nothing. */
export const RUN = [...ENTRIES.map((name) => basename(name, '.cjs')), 'statusline'];
