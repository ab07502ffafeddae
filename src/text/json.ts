// Type checks for JSON values from outside: is it an object, is it a text that says something.

export type JsonObject = Record<string, unknown>;

/** True for a JSON object; lists and null are none. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that says something; null for anything else. */
export const readNonEmpty = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
