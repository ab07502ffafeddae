// Is a value that came from outside an object whose fields can be asked for?

export type Json = Record<string, unknown>;

/** True for a JSON object; lists and null are none. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
