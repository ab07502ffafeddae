// Collects what a hook loads when the fast path is not enough: the full bundle.
export { registered } from '../store/state-folder.ts';
export { attend, attendRare, keepSettings } from './attend.ts';
export { capture } from './capture.ts';
export { lookBehind } from './changed.ts';
export { guard } from './guard.ts';
export { settingsAnew } from './settings.ts';
