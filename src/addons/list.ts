// All add-ons that are there, in the order of their names.
import type { Addon } from './addon.ts';
import * as registry from './registry.ts';

export const ADDONS: readonly Addon[] = Object.values(registry);
