// The hook as the plugin starts it: it stays silent when the settings run the same hook.
import { processIo } from '../platform/stdio.ts';
import { startHook } from './start.io.ts';

startHook(
  ({ isHandledBySettings }) => isHandledBySettings,
  ({ runHook, takeOverCompaction }, told) => takeOverCompaction(runHook, processIo, told),
);
