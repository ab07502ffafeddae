// Runs doctor, and gives its findings as data and as text.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Host } from '../hooks/host.ts';
import { run } from './healthy.ts';

interface Finding {
  level: 'ok' | 'info' | 'error';
  about: string;
  finding: string;
  fix: string | null;
  fixable: boolean;
}
export interface Report {
  findings: Finding[];
  session: { id: string; beats: { name: string }[] } | null;
  [facts: string]: unknown;
}

export function doctor(host: Host, ...args: string[]): Report & { code: number } {
  const { code, stdout, stderr } = run(host, 'doctor', '--json', ...args);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Report), code };
}
export const text = ({ level, finding, fix }: Finding): string => `${level}: ${finding} → ${fix}`;
/** What is not in order. */
export const faults = (host: Host, ...args: string[]): Finding[] =>
  doctor(host, ...args).findings.filter((each) => each.level !== 'ok');
/** The same, as `level: finding → fix`. */
export const amiss = (host: Host, ...args: string[]): string[] => faults(host, ...args).map(text);

export const write = (file: string, value: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
};
