// Knows which statements and tasks destroy the data of a database: as words or input of a client, as a task of a program.

import { readArguments, type Words } from './spoken.ts';

const CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|cockroach|clickhouse(?:-client)?|mongo(?:sh)?|redis-cli|dropdb|mysqladmin)$/;
const DUMPED =
  'a dump first (`pg_dump`, `mysqldump`, `.backup`), or the same in a transaction that is rolled back';

/** Where a statement begins: with its text, a line, or what may stand before a statement. */
const START = String.raw`(?:^|\n|\)|\$\w*\$|\b(?:begin|then|else|do|go|analyze)\b)\s*`;
/** Words of a command that is not parsed have lost their quotes. */
const ANYWHERE = String.raw`(?:^|\s)`;

/** Without comments, texts, and what stands in brackets: a subquery, or the columns of a table. */
function reduce(text: string): string {
  let plain = text
    .replace(/(?:^|\s)--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/"[^"]*"/g, '""');
  for (let depth = 0; depth < 8 && /\([^()]+\)/.test(plain); depth++)
    plain = plain.replace(/\([^()]+\)/g, '()');
  return plain;
}

function judgeStatement(statement: string, start: string): string | null {
  const has = (pattern: string): boolean => new RegExp(`${start}${pattern}`, 'i').test(statement);
  if (
    has(String.raw`drop\s+(?:table|database|schema|keyspace|user|role|owned)\b`) ||
    has(String.raw`alter\s+table\b[\s\S]*\bdrop\s+(?:column|partition)\b`)
  )
    return 'removes tables or whole databases';
  if (has(String.raw`truncate\s+(?:table\s+)?["\x60\w]`)) return 'removes every row of a table';
  const isWhole =
    has(String.raw`delete\s+from\b`) ||
    has(
      String.raw`update\s+(?:(?:only|low_priority|ignore)\s+)*["\x60\w.]+(?:\s*\*)?\s+(?:(?:as\s+)?["\x60\w]+\s+)?set\b`,
    );
  return isWhole && !/\bwhere\b/i.test(statement) ? 'changes every row of a table (it has no WHERE)' : null;
}

/** What a text of SQL, or of the shell of MongoDB or Redis, destroys; null for nothing. */
function readStatements(text: string, start: string): string | null {
  if (/\bdropDatabase\s*\(|\.drop\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)/.test(text))
    return 'removes whole collections';
  if (/(?:^|\n)\s*flush(?:all|db)\b/i.test(text)) return 'removes every key';
  for (const statement of reduce(text).split(';')) {
    const lost = judgeStatement(statement, start);
    if (lost !== null) return lost;
  }
  return null;
}

/** What a client of a database would destroy, by its arguments; behind `<<<` stands what it reads. */
export function judgeStatements(
  name: string,
  args: readonly string[],
  isParsed: boolean,
): { lost: string; safer: string } | null {
  if (!CLIENTS.test(name)) return null;
  if (name === 'dropdb' || (name === 'mysqladmin' && args.includes('drop')))
    return { lost: 'removes a whole database', safer: DUMPED };
  // A database in memory ends with the command.
  if (args.includes(':memory:')) return null;
  // Of Redis the command comes first; what follows are keys and values.
  const read = args.lastIndexOf('<<<');
  const told =
    name === 'redis-cli'
      ? [
          readArguments(args, '-h -p -n -a -u -s --user --pass').text,
          ...(read < 0 ? [] : args.slice(read + 1)),
        ]
      : args;
  const texts = told.map((arg) => arg.replace(/^(?:--[\w-]+=|-[ceqQ](?=\w))/, ''));
  if (!isParsed) texts.push(args.join(' '));
  for (const text of texts) {
    const lost = readStatements(text, isParsed ? START : ANYWHERE);
    if (lost !== null) return { lost, safer: DUMPED };
  }
  return null;
}

const TASK =
  /^(?:[\w-]+:)*(?:db:(?:drop|reset|purge|wipe|migrate:reset)|migrate:(?:fresh|reset|refresh)|doctrine:(?:database|schema):drop)(?::[\w-]+)*$/;
/** Programs that have tasks of databases: the first word is one, or every word. */
const TASKS = /^(?:rails|artisan|console|sequelize(?:-cli)?|composer|npm|pnpm|yarn|bun|deno|rushx|turbo|nx)$/;
const MANY_TASKS = /^(?:rake|make|gmake|just|task|invoke)$/;
const MIGRATES: Record<string, RegExp> = {
  prisma: /^migrate reset\b/,
  supabase: /^db reset\b/,
  dbt: /^db reset\b/,
  'manage.py': /^(?:flush|reset_db)\b/,
};
/** Whether a task of a program removes all data of a database. */
export function isMigration(name: string, args: Words): boolean {
  const { words, text, has } = readArguments(
    args,
    '--filter -F -w --workspace --prefix -C --dir --cwd -f -e --env --schema',
  );
  const task = text.replace(/^(?:workspace \S+ )?(?:(?:run|run-script|task|exec) )?/, '').split(' ');
  if (MANY_TASKS.test(name)) return words.some((word) => TASK.test(word));
  // `rails db:drop db:create`: tasks come before all other words.
  const end = task.findIndex((word) => !/[:=]/.test(word));
  if (TASKS.test(name) && task.slice(0, end < 0 ? undefined : end).some((word) => TASK.test(word)))
    return true;
  if (name === 'prisma' && has('--force-reset')) return true;
  return Object.hasOwn(MIGRATES, name) && MIGRATES[name]?.test(text) === true;
}
