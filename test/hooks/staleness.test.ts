// Tests that the agent hears how fresh its ORCHESTRATION.yaml is, and when its resumption section was left behind.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, request, toolResult, toolUse } from '../unit/lines.ts';
import { type Host, newHost, sessionOf } from './host.ts';

const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const file = (updated: string | null, more = ''): string =>
  `workflow:\n  id: w\n  status: ACTIVE\nresumption:\n  last_checkpoint: "CP-001"\n  current_phase: 2\n${updated === null ? '' : `  updated_at: "${updated}"\n`}${more}`;
const write = (host: Host, text: string): void =>
  writeFileSync(path.join(host.project, 'ORCHESTRATION.yaml'), text);
/** A session whose first prompt has been seen, with so much in its context. */
function begun(text: string, tokens = 50_000): Host {
  const host = newHost({ files: { 'ORCHESTRATION.yaml': text } });
  host.fire('SessionStart', { source: 'startup' });
  host.append(request('Go'), answer(tokens, { id: 'm1' }));
  host.fire('UserPromptSubmit');
  return host;
}
let calls = 0;
function tool(host: Host): string {
  const id = `t${++calls}`;
  host.append(toolUse(id, 'Bash', { command: 'x' }), toolResult(id));
  return host.fire('PostToolUse', { tool_use_id: id }).context;
}

describe('after a tool that changed the file', () => {
  test('and not its section, one line says so, once for each change', () => {
    const host = begun(file(at(-3)));
    expect(tool(host)).toBe('');
    write(host, file(sessionOf(host).workflow_file?.updated_at ?? '', 'notes:\n  - new\n'));
    expect(tool(host)).toMatch(
      /^<context-monitor>ORCHESTRATION\.yaml was changed, its resumption section was not \(updated_at .*, 3 min ago\)\.<\/context-monitor>$/,
    );
    expect(tool(host)).toBe('');
    write(host, file(sessionOf(host).workflow_file?.updated_at ?? '', 'notes:\n  - newer\n'));
    expect(tool(host)).toContain('was changed');
  });

  test('and its section with it, nothing is said', () => {
    const host = begun(file(at(-60)));
    write(host, file(at(0), 'notes:\n  - new\n'));
    expect(tool(host)).toBe('');
    expect(sessionOf(host).workflow_file).toMatchObject({
      last_checkpoint: 'CP-001',
      current_phase: '2',
    });
  });

  test('that has no readable time, it says that', () => {
    const host = begun(file(null));
    write(host, file(null, 'notes: 1\n'));
    expect(tool(host)).toContain('was changed; no updated_at of its resumption section can be read');
  });

  test('and took it away, it is forgotten', () => {
    const host = begun(file(at(0)));
    rmSync(path.join(host.project, 'ORCHESTRATION.yaml'));
    expect(tool(host)).toBe('');
    expect(sessionOf(host).workflow_file).toBeNull();
  });
});

describe('the monitor at WARNING', () => {
  /** The full text of a tier that this very prompt reaches. */
  const tag = (host: Host, tokens = 125_000): string => {
    host.append(answer(tokens, { id: `m${tokens}` }));
    return host.fire('UserPromptSubmit').context;
  };

  test('shows when the section was updated, how that stands, and the checkpoint of the workflow', () => {
    const host = begun(file(at(-60)));
    write(host, file(at(0)));
    const words = tag(host);
    expect(words).toMatch(/^Last checkpoint: cx-001 \(just now\); workflow CP-001$/m);
    expect(words).toMatch(
      /^Resumption staleness: FRESH \(updated within current phase\), last updated just now$/m,
    );
  });

  test('calls a section from before this session CRITICAL', () => {
    expect(tag(begun(file(at(-10))))).toMatch(
      /^Resumption staleness: CRITICAL \(not updated since this session began\), last updated .+$/m,
    );
  });

  test('calls a section STALE whose phase changed without its time', () => {
    const host = begun(file(at(-60)));
    const updated = at(0);
    write(host, file(updated));
    host.fire('UserPromptSubmit');
    write(host, file(updated).replace('current_phase: 2', 'current_phase: 3'));
    expect(tag(host)).toMatch(
      /^Resumption staleness: STALE \(not updated since the current phase began\), last updated .+$/m,
    );
  });

  test('calls a section FRESH whose phase changed with its time, though a hook sees it later', async () => {
    const host = begun(file(at(-60)));
    write(host, file(at(0)).replace('current_phase: 2', 'current_phase: 3'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(tag(host)).toContain('Resumption staleness: FRESH (updated within current phase)');
  });

  const shifted = (minutes: number): string =>
    new Date(Date.now() + (minutes + 120) * 60_000).toISOString().replace(/Z$/, '+02:00');
  // [what, updated_at as it is written, how the section stands]
  test.each<[string, () => string, string]>([
    ['of another zone', () => `"${shifted(0)}"`, 'FRESH'],
    ['without quotes, with a blank', () => at(0).replace('T', ' '), 'FRESH'],
    ['of this day alone', () => at(0).slice(0, 10), 'FRESH'],
    ['of the day before yesterday', () => at(-2 * 1440).slice(0, 10), 'CRITICAL'],
    ['that is a number', () => '3', 'FRESH'],
    ['that is none', () => 'soon', 'FRESH'],
    ['that is missing', () => '', 'FRESH'],
    ['that is still to come', () => at(60), 'STALE'],
  ])(
    'takes a time %s for what it says, and for the time of the file where it says none',
    (_, written, level) => {
      const host = begun(file(at(-60)));
      write(host, file(null, `  updated_at: ${written()}\n`));
      expect(tag(host)).toMatch(new RegExp(`^Resumption staleness: ${level} `, 'm'));
    },
  );

  test.each([
    [
      'in brackets',
      (time: string) => `workflow: {id: w, status: ACTIVE}\nresumption: {updated_at: "${time}"}\n`,
    ],
    [
      'as JSON',
      (time: string) =>
        `{\n "workflow": {"status": "ACTIVE"},\n "resumption": {"updated_at": "${time}"}\n}\n`,
    ],
  ])('reads a section %s', (_, text) => {
    const host = begun(text(at(-60)));
    write(host, text(at(0)));
    expect(tag(host)).toMatch(/^Resumption staleness: FRESH /m);
    write(host, text(at(-60)));
    expect(tag(host, 135_000)).toMatch(/^Resumption staleness: CRITICAL /m);
  });

  test('says nothing of it in a project without such a file', () => {
    const host = newHost();
    host.append(request('Go'), answer(125_000, { id: 'm1' }));
    host.fire('UserPromptSubmit');
    expect(tag(host)).not.toContain('Resumption');
  });
});
