// The hook as settings start it: `hook.cjs <EventName>`, host JSON on stdin.
import { startHook } from './start.io.ts';

startHook();
