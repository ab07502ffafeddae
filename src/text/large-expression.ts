// Looks for large regular expressions as hooks do: once or twice in a process.

/** A text that is so long that V8 compiles an expression to machine code for it at once. */
const LONG = ' '.repeat(1_000);
const compiled = new WeakSet<RegExp>();

/**
 * Whether a large expression is found in a text. For a short text V8 makes bytecode, runs that, and makes machine code only when
 * the expression is used again: for the nine that tell what a request is, that takes 24 ms, machine code at once 8.
 */
export function isFound(expression: RegExp, text: string): boolean {
  if (!compiled.has(expression)) {
    compiled.add(expression);
    expression.test(LONG);
  }
  return expression.test(text);
}
