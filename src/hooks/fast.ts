// Collects what every hook loads: the fast bundle.
export { processIo } from '../platform/stdio.ts';
export { runHook } from './run.ts';
export { yieldsToSettings } from './yield.ts';
