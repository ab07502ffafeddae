// The checks of `plimsoll check`, of all add-ons that are there.
import { type Addon, loadAllChecks } from '../../src/addons/addon.ts';
import * as registry from '../../src/addons/registry.ts';

const addons: readonly Addon[] = Object.values(registry);
export const CHECKS = await loadAllChecks(addons);
