// All attempts to get around the guardrails, each with its decision; data for the test and the documentation.
import type { Attempt } from './attempt.ts';
import { BY_PLACE } from './bypasses-by-place.ts';
import { BY_PROGRAM } from './bypasses-by-program.ts';
import { BY_SHELL } from './bypasses-by-shell.ts';

export const ATTEMPTS: Attempt[] = [...BY_PLACE, ...BY_SHELL, ...BY_PROGRAM];
