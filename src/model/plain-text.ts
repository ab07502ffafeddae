// Rules out cheaply that a short text holds a secret, so that most texts need no full redaction.

/**
 * What rules it out that a text is plain: a sign that can assign, quote or join, a run as long as a secret, the beginning of
 * one that is shorter, a word that goes with one.
 */
const NOT_PLAIN =
  /[^\w ./,+@-]|[\w-]{16,}|sk[-_]|xox|xapp|pass|pw|secret|token|cred|key|connectionstring|auth|bearer|basic|cookie|login|identified|mysql|maria|mongo|7z|redis|zip|ldap/i;

/** True for names of files and short commands of everyday: nothing in them can be a secret. False says nothing. */
export const isPlainText = (text: string): boolean => text.length <= 500 && !NOT_PLAIN.test(text);
