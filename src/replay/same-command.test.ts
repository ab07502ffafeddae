// Tests the rules by which the probe takes two commands for the same.
import { expect, test } from 'vitest';
import { extractChecks, extractKern } from './same-command.ts';

test.each([
  ['go test ./...', 'go test ./...'],
  ['cd /home/me/app && npm  test 2>&1 | tail -20', 'npm test'],
  ['cd "/my folder" && make', 'make'],
  ['git log --oneline | head -5', 'git log --oneline'],
  ['cat a | grep x || true', 'cat a'],
  ['cat a | sort', 'cat a | sort'],
])('the kern of %j is %j', (command, kern) => {
  expect(extractKern(command)).toBe(kern);
});

test.each<[string, string[]]>([
  ['mise run fmt && mise run lint 2>&1 | tail -3', ['mise run fmt', 'mise run lint']],
  ['CI=1 timeout 60 npx vitest run > out.txt; echo done', ['CI=1 timeout 60 npx vitest run']],
  ['npm run test:unit || true', ['npm run test:unit']],
  ['npm install && npm start', []],
  ['go build ./... && go build ./...', ['go build ./...']],
  [
    'cargo clippy -- -D warnings\npython -m unittest a',
    ['cargo clippy -- -D warnings', 'python -m unittest a'],
  ],
  ['maker all; gofmt -l .', ['gofmt -l .']],
  ['git commit -m "make it so"', []],
])('the checks in %j are %j', (command, checks) => {
  expect(extractChecks(command)).toEqual(checks);
});
