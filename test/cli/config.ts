// The settings files of a host, and runs of the `config` commands on them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Host, STATE } from '../hooks/host.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';

export const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, 'config', ...args);
export const json = <T>(host: Host, ...args: string[]): T =>
  JSON.parse(run(host, ...args, '--json').stdout) as T;
export const PROJECT = '.plimsoll/config.toml';
export const LOCAL = `${STATE}/config.local.toml`;
export const userFile = (host: Host): string =>
  path.join(host.env.XDG_CONFIG_HOME ?? '', 'plimsoll', 'config.toml');
export const text = (host: Host, name: string): string => readFileSync(path.join(host.project, name), 'utf8');
