// Tests that a secret in a session never reaches a file of ours or a word that we say.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { answer, boundary, request, toolResult, toolUse } from '../unit/lines.ts';
import { type Host, newHost, sessionFile } from './host.ts';

const A = 'Zk8Qw2Lm9Xr4Vt7Bn1Pc6Hy3';
/** How a secret is written, and the part of it that must not be seen again. */
const SECRETS: [kind: string, written: string, secret: string][] = [
  ['AWS key id', 'AKIAIOSFODNN7EXAMPLQ', 'AKIAIOSFODNN7EXAMPLQ'],
  ['AWS secret', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUtnFEMI/K7MDENG'],
  ['GitHub token', `ghp_${A}${A}`, `ghp_${A}`],
  ['GitHub fine-grained token', `github_pat_11${A}_${A}`, `github_pat_11${A}`],
  ['GitLab token', `glpat-${A.slice(0, 20)}`, `glpat-${A.slice(0, 20)}`],
  ['Slack token', `xoxb-123456789012-${A}`, `xoxb-123456789012-${A}`],
  ['Stripe key', `sk_live_${A}`, `sk_live_${A}`],
  ['OpenAI key', `sk-proj-${A}${A}`, `sk-proj-${A}`],
  ['Anthropic key', `sk-ant-api03-${A}${A}`, `sk-ant-api03-${A}`],
  ['Google key', `AIza${A}${A.slice(0, 11)}`, `AIza${A}`],
  ['npm token', `npm_${A}${A.slice(0, 12)}`, `npm_${A}`],
  ['PyPI token', `pypi-AgEIcHlwaS5vcmc${A}${A}`, `pypi-AgEIcHlwaS5vcmc${A}`],
  ['JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${A}`, 'eyJzdWIiOiIxMjM0NTY3ODkwIn0'],
  ['bearer header', `Authorization: Bearer ${A}q1`, `${A}q1`],
  ['basic header', 'Authorization: Basic dXNlcjpodW50ZXIyLXNlY3JldA==', 'dXNlcjpodW50ZXIyLXNlY3JldA'],
  ['URL with a password', 'https://deploy:Hunt3r2Sesame@example.com/repo.git', 'Hunt3r2Sesame'],
  ['database URL', 'postgres://app:Qw3rtyPass99@db.internal:5432/app', 'Qw3rtyPass99'],
  ['.env line', 'DB_PASSWORD=correct-horse-77', 'correct-horse-77'],
  ['exported token', 'export SECRET_TOKEN="t0ps3cr3t-value-42"', 't0ps3cr3t-value-42'],
  ['YAML key', 'api_key: 5f4dcc3b5aa765d61d8327deb882cf99', '5f4dcc3b5aa765d61d8327deb882cf99'],
  ['JSON field', '{"clientSecret":"s3cr3t-of-the-client-9"}', 's3cr3t-of-the-client-9'],
  ['option', 'mysql --password hunter2hunter2 --host x', 'hunter2hunter2'],
  ['curl user', "curl -u 'admin:Sup3rS3cret!' https://x", 'Sup3rS3cret!'],
  ['Hugging Face token', `hf_${A}Abcdefgh12`, `hf_${A}`],
  ['SendGrid key', `SG.${A}.${A}${A}`, `SG.${A}`],
  ['Azure key', `AccountKey=${A}${A}AbC==;EndpointSuffix=core`, `${A}${A}AbC`],
  ['Docker login', `docker login -u me -p ${A}dk registry.example.com`, `${A}dk`],
  ['Docker login through a pipe', `echo ${A}dp | docker login -u me --password-stdin`, `${A}dp`],
  ['MySQL login', `mysql -u root -p'${A}my' app`, `${A}my`],
  ['Twilio key', ['SK', '0123456789abcdef0123456789abcdef'].join(''), '0123456789abcdef0123456789abcdef'],
  ['Discord token', `MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.${A}${A.slice(0, 14)}`, `${A}${A.slice(0, 14)}`],
  ['MongoDB URL', `mongodb+srv://app:${A}mo@cluster0.example.net/app`, `${A}mo`],
  ['database URL without its end', `could not connect to postgres://app:${A}pg`, `${A}pg`],
  ['password without its closing quote', `DB_PASSWORD="first ${A}cq and the output ends here`, `${A}cq`],
  ['password in bold', `**Password:** ${A}bo`, `${A}bo`],
  ['password in XML', `<password>${A}xm</password>`, `${A}xm`],
  ['password in a block of YAML', `password: |\n  ${A}bl\nport: 5432`, `${A}bl`],
  ['password of Kubernetes', `- name: DB_PASSWORD\n  value: ${A}ku`, `${A}ku`],
  ['password in prose', `The password is ${A}pr, by the way.`, `${A}pr`],
  ['.netrc line', `machine example.com login me password ${A}ne`, `${A}ne`],
  ['token behind an escape', `{"log":"first\\nghp_${A}esc"}`, `${A}esc`],
  [
    'SSH key',
    `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk${A}\n${A}ssh\n-----END OPENSSH PRIVATE KEY-----`,
    `${A}ssh`,
  ],
  [
    'private key',
    `-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA${A}\n${A}${A}\n-----END RSA PRIVATE KEY-----`,
    `MIIEpAIBAAKCAQEA${A}`,
  ],
];

/** Everything in every file below these folders. */
function allText(...folders: string[]): string {
  const walk = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const file = path.join(folder, name);
      return statSync(file).isDirectory() ? walk(file) : [readFileSync(file, 'utf8')];
    });
  return folders
    .filter((each) => existsSync(each))
    .flatMap(walk)
    .join('\n');
}

/** The places where a text is cut before it is kept: the secret lies across each of them. */
const atTheCut = (secret: string): string[] =>
  [300, 400, 700, 1_500].map((cut) => `${'word '.repeat(cut).slice(0, cut - 12)} ${secret}`);

/** A session with one secret everywhere, through every kind of hook; gives all that was said. */
function everywhere(host: Host, secret: string): string[] {
  const said: string[] = [];
  const fire = (event: string, fields: Record<string, unknown> = {}): void => {
    const { stdout, stderr, code } = host.fire(event, fields);
    expect(`${code} ${stderr}`).toBe('0 ');
    said.push(stdout);
  };
  mkdirSync(host.project, { recursive: true });
  writeFileSync(
    path.join(host.project, 'ORCHESTRATION.yaml'),
    `workflow:\n  id: w\n  status: ACTIVE\nresumption:\n  next_step: ${JSON.stringify(secret)}\n  current_activity: ${JSON.stringify(secret)}\n  decisions:\n    - id: RD-001\n      decision: ${JSON.stringify(secret)}\n      applied: false\n  agent_summaries:\n    a: ${JSON.stringify(secret)}\n`,
  );
  if (!/\s/.test(secret))
    writeFileSync(path.join(host.project, '.git', 'HEAD'), `ref: refs/heads/try-${secret}\n`);
  fire('SessionStart', { source: 'startup' });
  fire('UserPromptSubmit', { prompt: secret });
  host.append(
    request(`Use this: ${secret}`),
    toolUse('t1', 'TodoWrite', {
      todos: [{ content: `Rotate ${secret}`, status: 'pending', activeForm: 'x' }],
    }),
    toolResult('t1'),
    toolUse('t2', 'Bash', { command: `deploy ${secret}` }),
    toolResult('t2', `Exit code 1\nfailed with ${secret}`, { isError: true }),
    ...atTheCut(secret).flatMap((text, index) => [
      request(text),
      toolUse(`c${index}`, 'Bash', { command: text }),
      toolResult(`c${index}`, text, { isError: true }),
    ]),
    toolUse('t3', 'Write', { file_path: path.join(host.project, 'out', secret) }),
    toolResult('t3'),
    toolUse('t4', 'TaskCreate', { subject: `Revoke ${secret}`, activeForm: `Revoking ${secret}` }),
    toolResult('t4', 'Task #1 created'),
    request(`Use this: ${secret}`),
    answer(140_000, { id: 'm1', content: [{ type: 'text', text: `I used ${secret} and it failed.` }] }),
  );
  fire('PostToolUse', { tool_use_id: 't2' });
  fire('UserPromptSubmit', { prompt: secret });
  for (const text of atTheCut(secret)) fire('Stop', { last_assistant_message: text });
  fire('Stop', { last_assistant_message: `I used ${secret}.` });
  fire('PreCompact', { trigger: 'manual', custom_instructions: `keep ${secret}` });
  fire('SessionStart', { source: 'compact' });
  host.append(boundary('manual', 141_000), answer(40_000, { id: 'm2' }));
  fire('UserPromptSubmit', { prompt: secret });
  writeFileSync(
    path.join(host.project, '.plimsoll', 'config.toml'),
    `[context_monitor]\nemit = ${JSON.stringify(secret)}\n`,
  );
  fire('UserPromptSubmit', { prompt: secret });
  host.append(request(`Again: ${secret}`));
  fire('SessionEnd', { reason: 'other' });
  fire('SessionStart', { source: 'startup', session_id: 'next-one' });
  return said;
}

test.each(some(SECRETS, 6))('%s: in no file and in no word', (_kind, written, secret) => {
  const host = newHost();
  const said = everywhere(host, written).join('\n');
  rmConfig(host);
  const kept = allText(host.state(), host.env.XDG_STATE_HOME ?? '');
  // What is looked for would be found: the session did leave its words, with the secret taken out.
  expect(kept).toContain('[redacted]');
  expect(said).toContain('resumption-context');
  expect(readFileSync(host.state('failures.jsonl'), 'utf8')).toContain('context_monitor.emit');
  expect(kept).not.toContain(secret);
  expect(said).not.toContain(secret);
  // Nor is any half of it there.
  for (const half of [secret.slice(0, 12), secret.slice(-12)]) {
    expect(kept).not.toContain(half);
    expect(said).not.toContain(half);
  }
});

/** The settings file is the user's own, and the test put the secret into it. */
function rmConfig(host: Host): void {
  writeFileSync(path.join(host.project, '.plimsoll', 'config.toml'), '');
  expect(existsSync(sessionFile(host))).toBe(true);
}
