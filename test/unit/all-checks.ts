// The checks of `plimsoll check`, of all add-ons that are there.
import { loadAll } from '../../src/addons/addon.ts';
import { ADDONS } from '../../src/addons/list.ts';

export const CHECKS = (await loadAll(ADDONS, (addon) => addon.loadChecks?.())).flat();
