// Text that looks random and is always the same; tests put their secrets together from it,
// so that no scanner takes a test for a leak.
const LETTERS = 'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0z';
/** So many characters of an alphabet. */
export const body = (length: number, alphabet = LETTERS): string =>
  Array.from({ length }, (_, index) => alphabet[(index * 7 + length) % alphabet.length]).join('');
