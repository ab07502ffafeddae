// Reduces a command to what makes it the same as another: its kern, and the checks (tests, lint, types, build) in it.
export const normalizeSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A command without where it runs and what only shortens its output. */
export function extractKern(command: string): string {
  return normalizeSpace(command)
    .replace(/^cd (?:"[^"]*"|'[^']*'|\S+) ?&& ?/, '')
    .replace(/ 2>&1.*$/, '')
    .replace(/ ?\| ?(?:head|tail|grep)\b.*$/, '')
    .trim();
}

const PREFIX = /^(?:(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)|time|sudo|env|timeout \S+) )+/;
const RUNNER =
  /^(?:npm|pnpm|yarn|bun|mise|just)\s+(?:run\s+)?\S*(?:test|lint|build|check|vet|fmt|format|typecheck|verify|ci)/;
const CHECK = new RegExp(
  `^(?:${[
    'go (?:test|build|vet)',
    'gofmt',
    'golangci-lint',
    'staticcheck',
    'shellcheck',
    'npx (?:tsc|vitest|jest|eslint|biome)',
    'make',
    'cargo (?:test|build|check|clippy|fmt)',
    'pytest',
    'python3? -m (?:unittest|mypy|pytest)',
    'tsc|vitest|jest|eslint|ruff|mypy|tox',
    'dotnet (?:test|build)',
    'mvn',
    'gradle',
  ].join('|')})(?:\\s|$)`,
);

/** The checks that a command runs, each as it stands there. */
export function extractChecks(command: string): string[] {
  const parts = command.split(/&&|\|\||;|\n/).map((part) =>
    normalizeSpace(
      normalizeSpace(part)
        .replace(/ ?\d?>{1,2}&? ?\S+/g, '')
        .replace(/ ?\|.*$/, ''),
    ),
  );
  const checks = parts.filter((part) => {
    const plain = part.replace(PREFIX, '');
    return part.length > 4 && (CHECK.test(plain) || RUNNER.test(plain));
  });
  return [...new Set(checks)];
}
