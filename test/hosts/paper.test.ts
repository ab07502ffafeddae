// Tests that a host with other events, another transcript and another reply is served by the same hooks.
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHook } from '../../src/hook/run.io.ts';
import { pathsIn, temporaryFolder } from '../unit/temporary.ts';
import { type PaperLine, paper } from './paper.ts';

/** A desk with a book: the pages that are written, and the hooks as paper calls them. */
function openDesk() {
  const desk = temporaryFolder();
  mkdirSync(join(desk, '.git'));
  const home = `${desk}.home`;
  const env = { HOME: home, PATH: process.env.PATH, PAPER_DESK: desk, PAPER_PID: '5000001' };
  let lines = 0;
  let last: string | null = null;
  const begun = Date.now();
  const pagesOf = (book: string): string => join(desk, `${book}.jsonl`);
  return {
    desk,
    write: (book: string, what: string, ...rest: unknown[]): void => {
      const id = `page-${lines++}`;
      const line: PaperLine = [what, id, last, new Date(begun + lines).toISOString(), ...rest];
      last = id;
      appendFileSync(pagesOf(book), `${JSON.stringify(line)}\n`);
    },
    call: async (book: string, what: string, more: object = {}): Promise<string> => {
      let said = '';
      const payload = { what, book, desk, pages: pagesOf(book), ...more };
      const print = (text: string): void => {
        said += text;
      };
      const io = { cwd: () => desk, now: Date.now, elapsed: () => 1, read: () => payload, print };
      await runHook([what], env, io, () => false, paper);
      return said;
    },
    checkpoints: (): string[] => {
      const { checkpoints } = pathsIn(desk);
      return readdirSync(checkpoints).map((name) => readFileSync(join(checkpoints, name), 'utf8'));
    },
    failures: (): string => {
      try {
        return readFileSync(pathsIn(desk).failures, 'utf8');
      } catch {
        return '';
      }
    },
  };
}

test('a host of another kind is warned, keeps a checkpoint, is told the alert, and hands its work over', async () => {
  const { call, checkpoints, desk, failures, write } = openDesk();

  await call('first', 'opened');
  write('first', 'ask', 'Bind the atlas in green leather');
  expect(await call('first', 'asked')).not.toContain('WARNING');
  write('first', 'say', 'I cut the leather first.', 20_000);
  write('first', 'do', 'call-1', join(desk, 'atlas/cover.txt'));
  write('first', 'done', 'call-1');
  expect(await call('first', 'wrote', { call: 'call-1' })).toBe('');

  // 64,000 of the 67,000 at which a window of 100,000 is compacted: a rise, told in paper's own form.
  write('first', 'say', 'Now the spine.', 64_000);
  write('first', 'do', 'call-2', join(desk, 'atlas/spine.txt'));
  const warned = await call('first', 'wrote', { call: 'call-2' });
  expect(warned).toMatch(/^<context-monitor>\n.*EMERGENCY/);
  expect(warned).toContain('64,000');
  write('first', 'done', 'call-2');
  write('first', 'slip', warned);

  expect(await call('first', 'folding')).toContain('Bind the atlas in green leather');
  expect(checkpoints().join()).toContain('cx-001');
  expect(checkpoints().join()).toContain('"source": "folding hook"');

  const alert = await call('first', 'opened', { folded: true });
  expect(alert).toMatch(
    /<compaction-alert>[\s\S]*Bind the atlas in green leather[\s\S]*<\/compaction-alert>/,
  );
  expect(alert).toContain('atlas/spine.txt');
  write('first', 'fold', 64_500);
  write('first', 'slip', alert);
  write('first', 'ask', 'And now the corners');
  expect(await call('first', 'asked')).not.toContain('compaction-alert');
  write('first', 'say', 'The corners are next.', 12_000);
  write('first', 'do', 'call-3', join(desk, 'atlas/corners.txt'));
  await call('first', 'shut');

  const handed = await call('second', 'opened');
  expect(handed).toMatch(/<resumption-context>\nAn earlier session[\s\S]*And now the corners/);
  expect(handed).toContain('atlas/corners.txt');
  expect(failures()).toBe('');
});
