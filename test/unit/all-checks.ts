// The checks of `plimsoll check`, of all add-ons that are there.
import { loadAll } from '../../src/addons/addon.ts';

export const CHECKS = (await loadAll((addon) => addon.loadChecks?.())).flat();
