// Collects what every hook loads: the fast bundle.
export { yieldsToSettings } from '../hosts/claude-code/yield.io.ts';
export { runHook } from './run.io.ts';
