// Names the kind of a hook run: a session that starts runs other code than one that was compacted.
import { isObject } from '../../model/json.ts';

export const runKind = (event: string, payload: unknown): string =>
  isObject(payload) && typeof payload.source === 'string' ? `${event}-${payload.source}` : event;
