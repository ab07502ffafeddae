// Collects what every hook loads: the fast bundle.
export { isHandledBySettings } from '../hosts/claude-code/yield.io.ts';
export { runHook } from './run.io.ts';
