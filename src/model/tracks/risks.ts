// What becomes of a risk by a later word on it?
import type { Risk } from './entry.ts';

/** Severity, status and text are the later ones; a mitigation stays, where nothing is said of it. */
export const mergeRisk = (known: Risk, said: Risk): Risk => ({
  ...said,
  mitigation: said.mitigation ?? known.mitigation,
});
