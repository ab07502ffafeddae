// The checks of `plimsoll check`, of all add-ons that are there.
import { ADDONS, loadAll } from '../../src/addons/addon.ts';

export const CHECKS = (await loadAll(ADDONS, (addon) => addon.loadChecks?.())).flat();
