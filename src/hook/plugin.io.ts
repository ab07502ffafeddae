// The hook as the plugin starts it: it stays silent when the settings run the same hook.
import { startHook } from './start.io.ts';

startHook(({ isHandledBySettings }) => isHandledBySettings);
