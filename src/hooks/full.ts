// Collects what a hook loads when the fast path is not enough: the full bundle.

export { claudeCode } from '../hosts/claude-code/index.ts';
export { registered } from '../store/state-folder.ts';
export { handleEvent, handleLazyEvent, saveSettings } from './handle-event.ts';
export { settingsAnew } from './settings.ts';
