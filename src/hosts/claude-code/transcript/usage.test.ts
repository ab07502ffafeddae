import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sumUsage } from './line.ts';

const USAGES: [string, unknown, number, number][] = [
  [
    'the sum of input, cache creation and cache read',
    {
      input_tokens: 3,
      cache_creation_input_tokens: 1_200,
      cache_read_input_tokens: 90_000,
      output_tokens: 400,
    },
    91_203,
    400,
  ],
  ['input alone where nothing is cached', { input_tokens: 5_000, output_tokens: 1 }, 5_000, 1],
  ['never the output', { input_tokens: 10, cache_read_input_tokens: 20, output_tokens: 9_999 }, 30, 9_999],
  [
    'the nested cache creation where the flat figure is 0',
    {
      input_tokens: 4,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 1_000,
      cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 200 },
    },
    1_504,
    0,
  ],
  [
    'the nested cache creation where there is no flat figure',
    { input_tokens: 4, cache_creation: { ephemeral_5m_input_tokens: 300 } },
    304,
    0,
  ],
  [
    'the flat cache creation where it is the larger one, not both',
    {
      input_tokens: 4,
      cache_creation_input_tokens: 700,
      cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 200 },
    },
    704,
    0,
  ],
  [
    'equal flat and nested cache creation only once',
    {
      input_tokens: 4,
      cache_creation_input_tokens: 500,
      cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 0 },
    },
    504,
    0,
  ],
  [
    'the last iteration, where the top level is a sum',
    {
      input_tokens: 30,
      cache_read_input_tokens: 240_000,
      output_tokens: 900,
      iterations: [
        { input_tokens: 10, cache_read_input_tokens: 79_000, output_tokens: 300 },
        { input_tokens: 20, cache_read_input_tokens: 81_000, output_tokens: 600 },
      ],
    },
    81_020,
    900,
  ],
  [
    'the nested cache creation of the last iteration',
    {
      input_tokens: 9,
      iterations: [
        {
          input_tokens: 2,
          cache_creation_input_tokens: 0,
          cache_creation: { ephemeral_5m_input_tokens: 40 },
        },
      ],
    },
    42,
    0,
  ],
  [
    'the top level where the last iteration sums to 0',
    { input_tokens: 11, iterations: [{ input_tokens: 5 }, { input_tokens: 0 }] },
    11,
    0,
  ],
  ['the top level where iterations are an empty list', { input_tokens: 12, iterations: [] }, 12, 0],
  [
    'the top level where iterations are no list',
    { input_tokens: 13, iterations: { input_tokens: 99 } },
    13,
    0,
  ],
  [
    'the top level where the last iteration is no object',
    { input_tokens: 14, iterations: [{ input_tokens: 9 }, null] },
    14,
    0,
  ],
  [
    'no figure that is null',
    {
      input_tokens: null,
      cache_read_input_tokens: 8,
      cache_creation: null,
      iterations: null,
      output_tokens: null,
    },
    8,
    0,
  ],
  [
    'no figure that is a string',
    { input_tokens: '5000', cache_read_input_tokens: 8, output_tokens: '7' },
    8,
    0,
  ],
  [
    'no negative figure',
    { input_tokens: -5, cache_creation_input_tokens: -1, cache_read_input_tokens: 8, output_tokens: -3 },
    8,
    0,
  ],
  ['no infinite figure', { input_tokens: Number.POSITIVE_INFINITY, cache_read_input_tokens: 8 }, 8, 0],
  ['no figure that is too large to compute with', { input_tokens: 1e300, cache_read_input_tokens: 8 }, 8, 0],
  ['0 for zeros everywhere', { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }, 0, 0],
  ['0 for an empty usage', {}, 0, 0],
  ['0 for no usage', undefined, 0, 0],
  ['0 for a usage of null', null, 0, 0],
  ['0 for a usage that is a number', 5_000, 0, 0],
  ['0 for a usage that is a list', [{ input_tokens: 5_000 }], 0, 0],
  [
    'nothing of what stands beside the figures',
    {
      input_tokens: 7,
      server_tool_use: { web_search_requests: 3 },
      service_tier: 'standard',
      speed: 'standard',
      inference_geo: '',
    },
    7,
    0,
  ],
];

describe('sumUsage()', () => {
  test.each(USAGES)('takes %s', (_, usage, tokens, output) => {
    expect(sumUsage(usage)).toEqual({ tokens, output });
  });

  test('never gives a negative or infinite figure, whatever it is given', () => {
    const keys = ['input_tokens', 'cache_read_input_tokens', 'cache_creation', 'iterations', 'output_tokens'];
    const usage = fc.dictionary(fc.constantFrom(...keys), fc.anything());
    fc.assert(
      fc.property(fc.oneof(usage, fc.anything()), (value) => {
        const { tokens, output } = sumUsage(value);
        expect(tokens).toBeGreaterThanOrEqual(0);
        expect(output).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(tokens) && Number.isFinite(output)).toBe(true);
      }),
    );
  });
});
