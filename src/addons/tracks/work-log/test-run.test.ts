import { describe, expect, test } from 'vitest';
import { extractFailures, isTestCommand } from './test-run.ts';

describe('isTestCommand()', () => {
  test.each([
    'npm test',
    'npm t',
    'npm run test:unit -- --watch=false',
    'npm --prefix web test',
    'cd web && CI=1 npx vitest run src/a.test.ts',
    'pnpm -r test',
    'pnpm exec vitest',
    'yarn jest src',
    'bun test',
    'npx playwright test',
    'node --test',
    'pytest -x tests',
    'FOO=1 BAR="a b" python3 -m pytest',
    'uv run pytest',
    'python manage.py test app',
    'python -m unittest discover',
    'tox -e py312',
    'go test ./...',
    'cargo test --workspace',
    'cargo +nightly nextest run',
    'make test',
    'make -j4 check',
    'mvn -q test',
    './mvnw -pl core verify',
    './gradlew :app:test',
    'gradle check',
    'dotnet test',
    'bundle exec rspec',
    'mix test',
    'ctest --output-on-failure',
    'timeout 60 npm test 2>&1 | tail -20',
    'time sudo make test',
    '(cd a; npm test)',
  ])('knows %s', (command) => {
    expect(isTestCommand(command)).toBe(true);
  });

  test.each([
    'npm install',
    'npm run build',
    'cat test.txt',
    'git commit -m "npm test"',
    'echo npm test',
    'ls test',
    'grep -r vitest .',
    'go build ./...',
    'make all',
    'npm install vitest',
    'mkdir test && cd test',
    'python test.py',
    '',
  ])('does not take %s for one', (command) => {
    expect(isTestCommand(command)).toBe(false);
  });
});

describe('extractFailures()', () => {
  const noise = (count: number, name: string): string[] =>
    Array.from({ length: count }, (_, at) => ` ✓ ${name} ${at} passes in ${at} ms`);

  test('is the whole of a short output', () => {
    expect(extractFailures('a\nb\n\n', 100)).toBe('a\nb');
  });

  test('keeps the lines that tell of failures, with what stands around them, and the summary at the end', () => {
    const output = [
      ...noise(400, 'first'),
      ' FAIL  src/cache.test.ts > evicts the oldest',
      'AssertionError: expected 3 to be 2',
      ' ❯ src/cache.test.ts:12:5',
      ...noise(400, 'second'),
      ' Test Files  1 failed | 12 passed (13)',
    ].join('\n');
    const part = extractFailures(output, 4_000);
    expect(part.length).toBeLessThanOrEqual(4_000);
    expect(part).toContain(
      'FAIL  src/cache.test.ts > evicts the oldest\nAssertionError: expected 3 to be 2\n ❯ src',
    );
    expect(part.endsWith(' Test Files  1 failed | 12 passed (13)')).toBe(true);
    expect(part).not.toContain('first 200 ');
  });

  test('is bounded where everything fails, and where one line is endless', () => {
    const all = Array.from({ length: 5_000 }, (_, at) => `FAIL ${at}`).join('\n');
    expect(extractFailures(all, 2_000).length).toBeLessThanOrEqual(2_000);
    expect(extractFailures(all, 2_000)).toContain('FAIL 0\n');
    expect(extractFailures(all, 2_000)).toContain('FAIL 4999');
    expect(extractFailures(`Error: ${'x'.repeat(100_000)}`, 2_000).length).toBeLessThanOrEqual(2_000);
  });
});
