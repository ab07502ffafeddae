// Tests what init --tracks asks on a terminal: the sources, the documents, and whether to write them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { initTracks } from '../../src/addons/tracks/commands/init-tracks.command.ts';
import { readProjectContext } from '../../src/cli/project.io.ts';
import { type Host, newHost } from '../hooks/host.ts';
import { DIST } from '../kit/plimsoll.ts';

const config = (host: Host): string => readFileSync(path.join(host.project, '.plimsoll/config.toml'), 'utf8');

function project(): Host {
  const host = newHost({
    files: {
      'package.json': '{"name": "my-app", "scripts": {"test": "vitest"}}',
      'src/a.js': '',
      'test/a.js': '',
    },
  });
  return host;
}
describe('on a terminal', () => {
  /** Runs the command as on a terminal, with these answers. */
  async function asked(host: Host, globs: string | null, isYes = true, documents = 'roles.md, INVARIANTS') {
    const questions: string[] = [];
    const printed: string[] = [];
    const print = (text: string): void => void printed.push(text);
    const output = { print, warn: print, isInteractive: () => true };
    const ask = async (question: string): Promise<boolean> => {
      questions.push(question);
      return isYes;
    };
    const askText = async (question: string, suggested: string): Promise<string | null> => {
      questions.push(`${question} ${suggested}`);
      return question.includes('documents') ? documents : globs;
    };
    const failed = await initTracks(
      readProjectContext(host.project, host.env, Date.now()),
      { tracks: true },
      output,
      { ask, askText },
      DIST,
    ).then(
      () => null,
      (error: unknown) => String(error),
    );
    return { questions, printed: printed.join('\n'), failed };
  }

  test('the sources are asked for, with those that were found; then what is written is shown and asked about', async () => {
    const host = project();
    const { questions, printed, failed } = await asked(host, ' src/**,  *.{sql,txt} ,');
    expect(failed).toBeNull();
    expect(questions).toEqual([
      'Which files may be written besides docs/ and artifacts/? Globs, with commas between src/**, test/**',
      'Which documents in docs/context/? Names, with commas between, or "all" (CONTEXT_CORE, ROLES, GUARDRAILS, INVARIANTS, CONTEXT_TIERS, COMPACTION_RULES, RECOVERY_FLOW, ARTIFACT_PATHS, and automation/hooks/) CONTEXT_CORE, ROLES, GUARDRAILS',
      'Write these?',
      'Add them?',
    ]);
    expect(config(host)).toContain('["docs/**", "artifacts/**", "src/**", "*.{sql,txt}"]');
    expect(printed).toMatch(
      /To create:\n {2}docs\/context\/ROLES\.md\n {2}docs\/context\/INVARIANTS\.md\n[\s\S]*Hooks to add to/,
    );
  });

  test('a document that is none is refused, and nothing is written', async () => {
    const host = project();
    expect((await asked(host, 'src/**', true, 'ROLE')).failed).toContain('"ROLE" is no document of tracks');
    expect(existsSync(path.join(host.project, 'docs'))).toBe(false);
  });

  test.each<[string, string | null, boolean]>([
    ['no globs', null, true],
    ['no to what would be written', 'src/**', false],
  ])('%s: nothing is written', async (_, globs, isYes) => {
    const host = project();
    expect((await asked(host, globs, isYes)).failed).toMatch(/Nothing was changed/);
    for (const name of ['docs', '.plimsoll', '.claude', '.gitignore'])
      expect(existsSync(path.join(host.project, name))).toBe(false);
  });
});
