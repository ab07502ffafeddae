import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, EVENTS, LOG_VERSION, parseLogEvent } from './log-event.ts';

const line = (more: object = {}): Record<string, unknown> => ({
  schema_version: LOG_VERSION,
  session: 's',
  at: '2026-11-28T07:00:00.000Z',
  type: 'CheckpointCreated',
  checkpoint: 'cx-001',
  trigger: 'auto',
  epoch: 0,
  ...more,
});

describe('parseLogEvent()', () => {
  test('gives an event as it stands, also with fields of a later minor version', () => {
    const given = line({ id: 'checkpoint:cx-001', schema_version: '1.7.0', of_the_future: [1] });
    expect(parseLogEvent(given, 's')).toEqual(given);
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'no JSON object'],
    ['a list', [1], 'no JSON object'],
    ['no schema version', line({ schema_version: undefined }), 'no schema version'],
    ['a schema version that is none', line({ schema_version: 'new' }), 'no schema version'],
    ['a newer schema', line({ schema_version: '2.0.0' }), 'written by a newer version of Plimsoll'],
    ['an older schema', line({ schema_version: '0.3.0' }), 'of an older version that is not known (0.3.0)'],
    ['no session', line({ session: undefined }), 'of another session'],
    ['another session', line({ session: 'other' }), 'of another session'],
    ['no time', line({ at: undefined }), 'no time'],
    ['a time that is none', line({ at: 'yesterday' }), 'no time'],
    ['an odd id', line({ id: 5 }), 'an id that is no text'],
    ['an unknown event', line({ type: 'CoffeeBrewed' }), 'an event that is not known'],
    ['the name of something every object has', line({ type: 'toString' }), 'an event that is not known'],
    ['a missing field', line({ trigger: undefined }), 'CheckpointCreated: "trigger" is missing or odd'],
    ['a field of another kind', line({ epoch: '1' }), 'CheckpointCreated: "epoch" is missing or odd'],
    ['a field that may not be null', line({ epoch: null }), 'CheckpointCreated: "epoch" is missing or odd'],
  ])('says what is wrong with %s', (_, given, problem) => {
    expect(parseLogEvent(given, 's')).toBe(problem);
  });

  test('never throws, and what it accepts has all its fields', () => {
    const fields = fc.dictionary(fc.constantFrom('session', 'at', 'id', 'epoch'), fc.jsonValue());
    fc.assert(
      fc.property(fc.constantFrom(...EVENT_TYPES), fields, fc.jsonValue(), (type, more, value) => {
        parseLogEvent(value, 's');
        const found = parseLogEvent(line({ type, ...more }), 's');
        if (typeof found === 'string') return;
        for (const field of Object.keys(EVENTS[found.type])) expect(found).toHaveProperty(field);
      }),
    );
  });
});
