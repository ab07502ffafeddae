// Type checks for JSON values from outside: is it an object, is it a text that says something.

export type JsonObject = Record<string, unknown>;

/** True for a JSON object; lists and null are none. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that says something; null for anything else. */
export const readNonEmpty = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Whether a text is an id as hosts give them to messages. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
