import { describe, expect, test } from 'vitest';
import type { Data, DataMap } from '../../../text/json.ts';
import { addFile, listAgents, listFilesToRead, noteAgentDone, removeFile } from './agent-entries.ts';
import { addDefect, addPattern, resolveDefect } from './defects.ts';

const section = (top: DataMap): DataMap => top.resumption as DataMap;
const summary = (top: DataMap): DataMap => section(top).defect_summary as DataMap;

describe('defects', () => {
  test('are counted, listed, and resolved', () => {
    let top = addDefect({ resumption: {} }, 'DA-001', 'names differ').top;
    top = addDefect(top, 'DA-002', null).top;
    expect(summary(top)).toEqual({
      total_defects_found: 2,
      total_defects_resolved: 0,
      unresolved_defects: ['DA-001', 'DA-002'],
      recurring_patterns: [],
      last_gate_primary_defect: 'DA-001: names differ',
    });
    expect(addDefect(top, 'da-001', null)).toMatchObject({ isNew: false, top });
    const { top: after, left } = resolveDefect(top, 'da-001');
    expect(left).toEqual(['DA-002']);
    expect(summary(after)).toMatchObject({
      total_defects_found: 2,
      total_defects_resolved: 1,
      unresolved_defects: ['DA-002'],
    });
    expect(() => resolveDefect(after, 'DA-001')).toThrow(/No defect "DA-001" is open/);
  });

  test('are counted under the names that the file has', () => {
    const top = {
      resumption: { defect_summary: { total_defects: 40, open_defects: 3, resolved_defects: 37 } },
    };
    const after = addDefect(top, 'X', null).top;
    expect(summary(after)).toEqual({
      total_defects: 41,
      open_defects: 4,
      resolved_defects: 37,
      unresolved_defects: ['X'],
    });
    expect(summary(resolveDefect(after, 'X').top)).toEqual({
      total_defects: 41,
      open_defects: 3,
      resolved_defects: 38,
      unresolved_defects: [],
    });
  });

  test('have patterns, which grow by gates and get a resolution', () => {
    const first = addPattern({ resumption: {} }, { pattern: 'p', gates: ['qg-1'] }).top;
    const { top, isNew } = addPattern(first, { pattern: 'p', gates: ['qg-1', 'qg-2'], resolution: 'r' });
    expect(isNew).toBe(false);
    expect(summary(top).recurring_patterns).toEqual([
      { pattern: 'p', gates_affected: ['qg-1', 'qg-2'], resolution: 'r' },
    ]);
    expect(addPattern(top, { pattern: 'p', gates: ['QG-2', 'qg-1'] }).top).toEqual(top);
    const twice = addPattern({ resumption: {} }, { pattern: 'p', gates: ['qg-1', 'qg-1', 'QG-1'] }).top;
    expect(summary(twice).recurring_patterns).toEqual([{ pattern: 'p', gates_affected: ['qg-1'] }]);
    const texts = { resumption: { defect_summary: { recurring_patterns: ['p', 'q'] } } };
    expect(summary(addPattern(texts, { pattern: 'p', gates: [] }).top).recurring_patterns).toEqual([
      'p',
      'q',
    ]);
    expect(summary(addPattern(texts, { pattern: 'p', gates: ['g'] }).top).recurring_patterns).toEqual([
      { pattern: 'p', gates_affected: ['g'] },
      'q',
    ]);
  });
});

describe('agents', () => {
  // [what, summaries before, after]
  test.each<[string, Data, Data]>([
    ['nothing', null, { a: 'new' }],
    ['a map', { b: 'old' }, { b: 'old', a: 'new' }],
    ['a map that has it', { a: 'old' }, { a: 'new' }],
    ['a map of maps', { a: { summary: 'old', n: 1 } }, { a: { summary: 'new', n: 1 } }],
    [
      'a list',
      [{ id: 'b', summary: 'old' }],
      [
        { id: 'b', summary: 'old' },
        { id: 'a', summary: 'new' },
      ],
    ],
    ['a list that has it', [{ agent: 'a', summary: 'old', n: 1 }], [{ agent: 'a', summary: 'new', n: 1 }]],
  ])('are noted in %s', (_, before, after) => {
    const top = noteAgentDone({ resumption: { agent_summaries: before } }, 'a', 'new');
    expect(section(top).agent_summaries).toEqual(after);
    expect(listAgents(section(top)).a).toBe('new');
  });
});

describe('files to read', () => {
  test.each<[string, Data, string[]]>([
    ['a list of paths', ['b', 'a'], ['b', 'a']],
    [
      'a list of maps',
      [{ path: 'b', priority: 2 }, { path: 'a', priority: 1 }, { purpose: 'none' }],
      ['a', 'b'],
    ],
    ['a map of purposes', { a: 'why', b: { purpose: 'why', priority: 0 } }, ['b', 'a']],
    ['one map', { path: 'a', priority: 1 }, ['a']],
    ['what is none', 7, []],
  ])('are read from %s', (_, files, paths) => {
    expect(listFilesToRead({ files_to_read: files }).map((each) => each.path)).toEqual(paths);
  });

  test('stay a list of paths until more is said of one', () => {
    const first = addFile({ resumption: { files_to_read: ['a'] } }, { path: 'b' });
    expect(section(first.top).files_to_read).toEqual(['a', 'b']);
    const second = addFile(first.top, { path: 'a', purpose: 'why', sections: ['x'] });
    expect(second.isNew).toBe(false);
    expect(section(second.top).files_to_read).toEqual([{ path: 'a', purpose: 'why', sections: ['x'] }, 'b']);
    expect(addFile(second.top, { path: 'b' }).top).toEqual(second.top);
  });

  test('get the next priority, keep what is not said anew, and go', () => {
    const before = { resumption: { files_to_read: [{ path: 'a', priority: 1, purpose: 'why' }] } };
    const { top } = addFile(before, { path: 'b', purpose: 'p' });
    expect(section(top).files_to_read).toEqual([
      { path: 'a', priority: 1, purpose: 'why' },
      { path: 'b', priority: 2, purpose: 'p' },
    ]);
    expect(section(addFile(top, { path: 'a', priority: 3 }).top).files_to_read).toMatchObject([
      { path: 'a', priority: 3, purpose: 'why' },
      {},
    ]);
    expect(section(removeFile(top, 'a')).files_to_read).toEqual([{ path: 'b', priority: 2, purpose: 'p' }]);
    expect(() => removeFile(top, 'c')).toThrow(/"c" is no file to read/);
  });
});
