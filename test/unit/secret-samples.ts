// Secrets that tests hide in commands and outputs, each with the part that must never be seen.

/** What is written, and the part of it that is the secret. */
export const SECRETS: readonly { text: string; hidden: string }[] = [
  { text: 'export DB_PASSWORD=correct-horse-battery', hidden: 'correct-horse-battery' },
  {
    text: 'curl -H "Authorization: Bearer abcDEF123456abcDEF123456" https://x.test',
    hidden: 'abcDEF123456abcDEF123456',
  },
  { text: 'git push https://me:hunter2hunter2@git.test/x.git', hidden: 'hunter2hunter2' },
  {
    text: 'TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789 make',
    hidden: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  },
  { text: 'aws --key AKIAIOSFODNN7EXAMPLE1 s3 ls', hidden: 'AKIAIOSFODNN7EXAMPLE1' },
];
