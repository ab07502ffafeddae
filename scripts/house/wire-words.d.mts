// Types of wire-words.mjs, for the test that reads it.
export function findWireWords(path: string, source: string): string[];
export function readWireWords(): Map<string, string[]>;
