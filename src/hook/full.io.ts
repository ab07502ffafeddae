// Collects what a hook loads when the fast path is not enough: the full bundle.

export { claudeCode } from '../hosts/claude-code/index.io.ts';
export { registered } from '../platform/project/state-folder.ts';
export { handleEvent, handleLazyEvent, saveSettings } from './handle-event.io.ts';
export { reloadSettings } from './hook-settings.io.ts';
