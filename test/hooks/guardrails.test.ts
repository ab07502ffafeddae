// Tests that a tool call is judged before it runs, only where configured, and never allowed by us.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION, STATE } from './host.ts';

const config = (mode: string, more = ''): Record<string, string> => ({
  '.plimsoll/config.toml': `[guardrails]\nmode = "${mode}"\n${more}`,
});
const ENFORCE = config('enforce', '[guardrails.paths]\nprotected = ["dist/**"]\n');

interface Told {
  permissionDecision?: string;
  permissionDecisionReason?: string;
  additionalContext?: string;
}
function told(host: Host, tool: string, input: object, fields: object = {}): Told | null {
  const { stdout, stderr, code } = host.fire('PreToolUse', {
    tool_name: tool,
    tool_input: input,
    tool_use_id: 't',
    ...fields,
  });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).not.toMatch(/"allow"/);
  return stdout === '' ? null : (JSON.parse(stdout) as { hookSpecificOutput: Told }).hookSpecificOutput;
}
const write = (host: Host, file: string) => ({ file_path: path.join(host.project, file), content: 'x' });

describe('a tool call', () => {
  test('that writes a protected file is denied, with a reason that names the rule', () => {
    const host = newHost({ files: ENFORCE });
    expect(told(host, 'Write', write(host, 'dist/a.js'))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(
        /dist\/a\.js.*guardrails\.paths\.protected.*Leave it as it is/,
      ),
    });
  });

  test.each<[string, object | ((host: Host) => object)]>([
    ['Bash', { command: 'echo x > dist/a.js' }],
    ['Bash', { command: 'cd src && cp a.ts ../dist/a.js' }],
    ['Bash', { command: 'cat <<EOF | tee src/../dist/x\nhi\nEOF' }],
    [
      'Edit',
      (host) => ({
        file_path: path.join(host.project, 'src/../dist/a.js'),
        old_string: 'a',
        new_string: 'b',
      }),
    ],
    ['Write', (host) => write(host, 'link/a.js')],
    ['NotebookEdit', (host) => ({ notebook_path: path.join(host.project, 'dist/a.ipynb'), new_source: 'x' })],
  ])('that gets there another way is denied too: %s %j', (tool, input) => {
    const host = newHost({ files: ENFORCE });
    mkdirSync(path.join(host.project, 'dist'));
    symlinkSync('dist', path.join(host.project, 'link'));
    expect(told(host, tool, typeof input === 'function' ? input(host) : input)?.permissionDecision).toBe(
      'deny',
    );
  });

  test.each<[string, object]>([
    ['eslint --fix dist/a.js', {}],
    ['npm run format -- dist/a.js', {}],
    ['taskset -c 0 dprint fmt dist/a.js', {}],
    ['pandoc a.md -o dist/a.js', {}],
    ['dprint fmt a.js', { cwd: 'dist' }],
  ])('that tells any program of it asks a person, who reads what it is about: %s', (command, place) => {
    const host = newHost({ files: ENFORCE });
    mkdirSync(path.join(host.project, 'dist'));
    const fields = 'cwd' in place ? { cwd: path.join(host.project, String(place.cwd)) } : {};
    expect(told(host, 'Bash', { command }, fields)).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringMatching(
        /is told of dist\/a\.js and may change it, and "dist\/\*\*" of paths\.protected matches \(guardrails\.paths\.protected\)/,
      ),
    });
  });

  test.each(['eslint dist/a.js', 'node dist/a.js', 'npm test -- dist/a.js', 'git add dist/a.js'])(
    'that only reads it is let through: %s',
    (command) => {
      expect(told(newHost({ files: ENFORCE }), 'Bash', { command })).toBeNull();
    },
  );

  test('of a subagent is judged like all others', () => {
    const host = newHost({ files: ENFORCE });
    const fields = { agent_id: 'a1', agent_type: 'general-purpose' };
    expect(told(host, 'Write', write(host, 'dist/a.js'), fields)?.permissionDecision).toBe('deny');
  });

  test('that changes what governs the agent asks a person, and says the level', () => {
    const host = newHost({ files: ENFORCE });
    const input = { ...write(host, '.claude/settings.json') };
    expect(told(host, 'Write', input)).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringContaining('C4'),
    });
    // The client shows the text of a question to the person alone.
    const { permissionDecisionReason: text = '' } = told(host, 'Write', input) ?? {};
    expect(text).toMatch(/\nThe agent asks to do this\. Allow it only if it is what you want\.$/);
    expect(text).not.toMatch(/ask the user|their consent|Use the Edit|Go on/);
  });

  test('is only warned about with mode = "warn"', () => {
    const host = newHost({ files: config('warn', '[guardrails.paths]\nprotected = ["dist/**"]\n') });
    const reply = told(host, 'Write', write(host, 'dist/a.js'));
    expect(reply?.permissionDecision).toBeUndefined();
    expect(reply?.additionalContext).toMatch(
      /^Plimsoll: The change was made, unless the call itself failed: guardrails\.mode is "warn"; with "enforce" it would have been refused\.\nWriting dist\/a\.js/,
    );
    expect(reply?.additionalContext).not.toMatch(/was refused/);
    expect(told(host, 'Bash', { command: 'plimsoll off' })?.additionalContext).toMatch(
      /^Plimsoll: The change was made, unless the call itself failed: .*; with "enforce" the user would have been asked first\.\n`plimsoll off` changes/,
    );
  });

  test.each<[string, Record<string, string>, string, (host: Host) => object]>([
    ['where nothing is configured', {}, 'Write', (host) => write(host, '.env')],
    ['that writes an ordinary file', ENFORCE, 'Write', (host) => write(host, 'src/a.ts')],
    ['that only looks', ENFORCE, 'Bash', () => ({ command: 'ls -la dist' })],
    ['that runs the tests', ENFORCE, 'Bash', () => ({ command: 'npm test && git status' })],
    ['that reads a protected file', ENFORCE, 'Read', (host) => write(host, 'dist/a.js')],
  ])('%s is left to the permissions of the user: nothing is said', (_, files, tool, input) => {
    const host = newHost({ files });
    expect(told(host, tool, input(host))).toBeNull();
    expect(existsSync(host.state('failures.jsonl'))).toBe(false);
  });

  test('that breaks a layer is denied for what the file would be after the edit', () => {
    const layers =
      '[[guardrails.architecture.layers]]\nname = "model"\nfiles = ["src/model/**"]\nforbid = ["store"]\n\n[[guardrails.architecture.layers]]\nname = "store"\nfiles = ["src/store/**"]\n';
    const host = newHost({
      files: { ...config('enforce', layers), 'src/model/a.ts': 'export const a = 1;\n' },
    });
    const file_path = path.join(host.project, 'src/model/a.ts');
    const edit = (text: string) => ({ file_path, old_string: 'export const a = 1;', new_string: text });
    expect(told(host, 'Edit', edit("import { b } from '../store/b.ts';\nexport const a = b;"))).toMatchObject(
      {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringMatching(/src\/model\/a\.ts.*store/),
      },
    );
    expect(told(host, 'Edit', edit("import { b } from './b.ts';\nexport const a = b;"))).toBeNull();
  });

  test('that is not let through stands in the log of its session', () => {
    const host = newHost({ files: ENFORCE });
    host.append(request('Go'), answer(30_000, { id: 'm1' }));
    host.fire('UserPromptSubmit');
    told(host, 'Write', write(host, 'dist/a.js'));
    const text = readFileSync(host.state('sessions', SESSION, 'events.jsonl'), 'utf8');
    expect(text).toMatch(/"GuardrailViolated".*"rule":"paths".*"tool":"Write".*"verdict":"deny"/);
  });

  test('without a name is let through, with a line in the failure log', () => {
    const host = newHost({ files: ENFORCE });
    expect(host.fire('PreToolUse', { tool_input: {} }).stdout).toBe('');
    expect(readFileSync(host.state('failures.jsonl'), 'utf8')).toContain('without a name');
  });

  test('is judged by what is right in a table with a misspelt key', () => {
    const files = config('enforce', '[guardrails.paths]\nprotectd = ["x/**"]\nprotected = ["dist/**"]\n');
    const host = newHost({ files });
    expect(told(host, 'Write', write(host, 'dist/a.js'))).toMatchObject({ permissionDecision: 'deny' });
    expect(told(host, 'Write', write(host, 'src/a.js'))).toBeNull();
  });

  test('is not judged where everything is switched off', () => {
    const host = newHost({ files: { ...ENFORCE, [`${STATE}/off`]: '' } });
    expect(told(host, 'Write', write(host, 'dist/a.js'))).toBeNull();
  });

  test('is not judged in a session that is switched off, and is in another one', () => {
    const host = newHost({ files: ENFORCE });
    host.append(answer(20_000));
    host.fire('UserPromptSubmit', { prompt: 'x' });
    expect(plimsoll({ env: host.env, projectDir: host.project }, 'off', '--session', SESSION).code).toBe(0);
    expect(told(host, 'Write', write(host, 'dist/a.js'))).toBeNull();
    expect(plimsoll({ env: host.env, projectDir: host.project }, 'on', '--session', SESSION).code).toBe(0);
    expect(told(host, 'Write', write(host, 'dist/a.js'))).not.toBeNull();
  });
});
