// Tests that hooks leave ORCHESTRATION.yaml alone, and enter a compaction into it only where configured.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseOrchestration } from '../../src/addons/orchestration/orchestration-file.io.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION, writeMine } from './host.ts';

const FILE = `# The plan of the release
workflow:
  id: "w-1"
  status: "ACTIVE"
resumption:
  # kept by hand
  last_checkpoint: null
  current_phase: 2   # core changes
  updated_at: "2026-02-17T12:34:56Z"
  compaction_events:
    count: 0
    events: []
`;
const ON = { '.plimsoll/config.toml': '[state]\nauto_merge = true\n' };
const text = (host: Host, name = 'ORCHESTRATION.yaml'): string =>
  readFileSync(path.join(host.project, name), 'utf8');

/** A session that is compacted at once, and what is said after it. */
function compacted(files: Record<string, string>): { host: Host; context: string } {
  const host = newHost({ files });
  return { host, context: compactedNow(host) };
}

function compactedNow(host: Host): string {
  host.append(request('Go'), answer(150_000, { id: 'm1' }));
  host.fire('UserPromptSubmit');
  host.fire('PreCompact', { trigger: 'auto' });
  host.append(boundary('auto'));
  return host.fire('SessionStart', { source: 'compact' }).context;
}

describe('after a compaction', () => {
  test('the file stays as it is, byte for byte, unless the project asks for more', () => {
    const { host, context } = compacted({ 'ORCHESTRATION.yaml': FILE });
    expect(context).toContain('<compaction-alert>');
    expect(text(host)).toBe(FILE);
    const id = /CHECKPOINT: (cx-\d+)-/.exec(context)?.[1] ?? '';
    expect(context).toContain(`; into the workflow file: plimsoll state merge ${id};`);
    // The command counts it all the same, and enters it.
    host.env.CLAUDE_CODE_SESSION_ID = SESSION;
    const shown = (): string =>
      /^Compactions .*$/m.exec(
        plimsoll({ env: host.env, projectDir: host.project }, 'state', 'show').stdout,
      )?.[0] ?? '';
    expect(shown()).toMatch(/^Compactions {2}1, 1 of them not in the file \(plimsoll state merge cx-NNN/);
    plimsoll({ env: host.env, projectDir: host.project }, 'state', 'merge', id);
    expect(shown()).toBe('Compactions  1');
  });

  test('the alert names no merge where the workflow is done', () => {
    const { context } = compacted({ 'ORCHESTRATION.yaml': FILE.replace('ACTIVE', 'COMPLETE') });
    expect(context).not.toContain('state merge');
  });

  test.each<[string, string]>([
    [
      'words that are folded, and a decision in brackets',
      `workflow: {id: w-1, status: ACTIVE}
resumption:
  current_phase: 2
  next_step: Apply the revision of the gate to all three of the documents and
    then run the scorer again
  decisions:
    - {id: RD-001, decision: "Align the holder, everywhere", applied: false, affects_phases: [3]}
`,
    ],
    [
      'JSON',
      `{"workflow": {"id": "w-1", "status": "ACTIVE"}, "resumption": {"current_phase": 2,
  "next_step": "Apply the revision of the gate to all three of the documents and then run the scorer again",
  "decisions": [{"id": "RD-001", "decision": "Align the holder, everywhere", "applied": false, "affects_phases": [3]}]}}`,
    ],
  ])('the alert says what a file says in %s', (_, written) => {
    const { context } = compacted({ 'ORCHESTRATION.yaml': written });
    expect(context).toContain('- RD-001: Align the holder, everywhere. Affects phase 3');
    expect(context).toContain('documents and then run the scorer again');
  });

  test('the compaction and its checkpoint stand in the section, comments kept, updated_at too', () => {
    const { host, context } = compacted({ ...ON, 'ORCHESTRATION.yaml': FILE });
    const id = /CHECKPOINT: (cx-\d+)-/.exec(context)?.[1] ?? '';
    expect(id).not.toBe('');
    expect(context).not.toContain('state merge');
    const { top, faults } = parseOrchestration(text(host));
    expect(faults).toEqual([]);
    expect(top.resumption).toMatchObject({
      last_checkpoint: id,
      context_fill_at_update: 0.75,
      updated_at: '2026-02-17T12:34:56Z',
      compaction_events: { count: 1, events: [{ id: id.toUpperCase(), trigger: 'auto', active_phase: 2 }] },
    });
    for (const line of [
      '# The plan of the release',
      '  # kept by hand',
      '  current_phase: 2   # core changes',
    ])
      expect(text(host).split('\n')).toContain(line);
    // It was our own change: nobody has left the section behind.
    host.append(request('On'), answer(30_000, { id: 'm2' }));
    expect(host.fire('PostToolUse', { tool_use_id: 't' }).context).not.toContain('was changed');
  });

  test.each<[string, Record<string, string>]>([
    ['a workflow that is done', { 'ORCHESTRATION.yaml': FILE.replace('ACTIVE', 'COMPLETE') }],
    ['a file without a section', { 'ORCHESTRATION.yaml': 'workflow:\n  id: w\n  status: ACTIVE\n' }],
    ['a file that is no sound YAML', { 'ORCHESTRATION.yaml': `${FILE}broken: [1,\n` }],
  ])('%s is left as it is, and the alert comes', (_, files) => {
    const { host, context } = compacted({ ...ON, ...files });
    expect(context).toContain('<compaction-alert>');
    expect(text(host)).toBe(files['ORCHESTRATION.yaml']);
  });

  test('a file that somebody holds locked is left as it is, the alert comes, and the failure is logged', () => {
    const host = newHost({ files: { ...ON, 'ORCHESTRATION.yaml': FILE } });
    host.append(request('Go'), answer(150_000, { id: 'm1' }));
    host.fire('UserPromptSubmit');
    host.fire('PreCompact', { trigger: 'auto' });
    host.append(boundary('auto'));
    writeFileSync(path.join(host.project, 'ORCHESTRATION.yaml.lock'), `${process.pid} ${Date.now()} 0`);
    expect(host.fire('SessionStart', { source: 'compact' }).context).toContain('<compaction-alert>');
    expect(text(host)).toBe(FILE);
    expect(readFileSync(host.state('failures.jsonl'), 'utf8')).toContain('compaction-alert');
  });

  test.each<[string, (host: Host, outside: string) => void]>([
    ['by a link', (host, outside) => symlinkSync(outside, path.join(host.project, 'ORCHESTRATION.yaml'))],
    [
      'by a setting',
      (host, outside) => {
        writeMine(host, `[orchestration]\npath = "${path.relative(host.project, outside)}"\n`);
      },
    ],
  ])('a file outside of the project, reached %s, is left as it is, and the alert comes', (_, reach) => {
    const host = newHost({ files: ON });
    const outside = path.join(host.project, '..', 'outside.yaml');
    writeFileSync(outside, FILE);
    reach(host, outside);
    expect(compactedNow(host)).toContain('<compaction-alert>');
    expect(readFileSync(outside, 'utf8')).toBe(FILE);
    expect(readFileSync(host.state('failures.jsonl'), 'utf8')).toContain('leads out of the project');
  });

  test('the only active one of several workflows is the one that is meant', () => {
    const host = newHost({ files: ON });
    for (const [name, status] of Object.entries({ a: 'COMPLETE', b: 'ACTIVE', c: 'PAUSED' })) {
      mkdirSync(path.join(host.project, 'projects', name), { recursive: true });
      writeFileSync(
        path.join(host.project, 'projects', name, 'ORCHESTRATION.yaml'),
        FILE.replace('ACTIVE', status).replace('w-1', `w-${name}`),
      );
    }
    expect(compactedNow(host)).toContain('projects/b/ORCHESTRATION.yaml');
    expect(text(host, 'projects/b/ORCHESTRATION.yaml')).toContain('CX-');
    expect(text(host, 'projects/a/ORCHESTRATION.yaml')).not.toContain('CX-');
  });
});
