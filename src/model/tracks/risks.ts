// Merges a later statement about a risk into the one that is known.
import type { Risk } from './entry.ts';

/** Severity, status and text are the later ones; a mitigation stays, where nothing is said of it. */
export const mergeRisk = (known: Risk, said: Risk): Risk => ({
  ...said,
  mitigation: said.mitigation ?? known.mitigation,
});
