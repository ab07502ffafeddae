import { describe, expect, test } from 'vitest';
import { claudeLimits } from '../hosts/claude-code/limits.ts';
import { type ContextWindow, isMarked, type WindowEvidence, findWindow as windowBy } from './window.ts';

const findWindow = (evidence: Omit<WindowEvidence, 'limits'>): ContextWindow =>
  windowBy({ ...evidence, limits: claudeLimits });

describe('isMarked()', () => {
  test.each([
    ['the same id', 'claude-opus-4-6[1m]', 'claude-opus-4-6', true],
    ['the same id with a date', 'claude-opus-4-6[1m]', 'claude-opus-4-6-20260101', true],
    ['a family alone', 'sonnet[1m]', 'claude-sonnet-4-6', true],
    ['a mark in capitals', 'claude-opus-4-6[1M]', 'claude-opus-4-6', true],
    ['another version', 'claude-opus-4-6[1m]', 'claude-opus-4-7', false],
    ['another family', 'sonnet[1m]', 'claude-opus-4-6', false],
    ['no model', 'sonnet[1m]', null, false],
  ])('compares a mark with %s', (_, mark, model, expected) => {
    expect(isMarked({ [mark.replace(/\[1m\]/i, '')]: true }, model)).toBe(expected);
  });

  test('says no where there are no marks', () => {
    expect(isMarked({}, 'claude-opus-4-6')).toBe(false);
  });

  test('looks at every mark', () => {
    expect(isMarked({ opus: true, sonnet: true }, 'claude-sonnet-4-6')).toBe(true);
    expect(isMarked({ opus: true, sonnet: false }, 'claude-sonnet-4-6')).toBe(false);
  });
});

const BEDROCK = { CLAUDE_CODE_USE_BEDROCK: '1' };
const VERTEX = { CLAUDE_CODE_USE_VERTEX: '1' };
const FOUNDRY = { CLAUDE_CODE_USE_FOUNDRY: 'true' };
const GATEWAY = { ANTHROPIC_BASE_URL: 'https://gateway.example' };
const HELD = { CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' };

describe('findWindow()', () => {
  const LARGE = 1_000_000;
  const STANDARD = 200_000;

  // [model, environment, tokens]
  const table: [string, Record<string, string>, number][] = [
    ['claude-opus-4-7', {}, LARGE],
    ['claude-opus-4-8', {}, LARGE],
    ['claude-opus-5', {}, LARGE],
    ['claude-opus-5-5', {}, LARGE],
    ['claude-opus-4-7-20260101', {}, LARGE],
    ['claude-fable-5', {}, LARGE],
    ['claude-sonnet-5', {}, LARGE],
    ['claude-opus-4-6', {}, STANDARD],
    ['claude-opus-4-5-20251101', {}, STANDARD],
    ['claude-opus-4-1-20250805', {}, STANDARD],
    ['claude-sonnet-4-6', {}, STANDARD],
    ['claude-sonnet-4-5-20250929', {}, STANDARD],
    ['claude-sonnet-4-20250514', {}, STANDARD],
    ['claude-sonnet-4-10', {}, STANDARD],
    ['claude-haiku-4-5-20251001', {}, STANDARD],
    ['claude-opus-4-7', BEDROCK, STANDARD],
    ['us.anthropic.claude-opus-4-7-20260101-v1:0', BEDROCK, STANDARD],
    ['claude-opus-5-5', VERTEX, STANDARD],
    ['claude-fable-5', FOUNDRY, STANDARD],
    ['us.anthropic.claude-sonnet-5-v1:0', BEDROCK, LARGE],
    ['claude-sonnet-5', VERTEX, LARGE],
    ['claude-sonnet-5', GATEWAY, STANDARD],
    ['claude-sonnet-4-6', BEDROCK, STANDARD],
    ['claude-opus-5-5', { CLAUDE_CODE_USE_BEDROCK: '0' }, LARGE],
    ['claude-opus-5-5', { CLAUDE_CODE_USE_BEDROCK: '' }, LARGE],
    ['claude-opus-5-5', HELD, STANDARD],
    ['claude-sonnet-5', { ...HELD, ...BEDROCK }, STANDARD],
    ['claude-fable-5', HELD, STANDARD],
  ];
  test.each(table)('infers the window of %s with %j from the table: %d', (model, env, tokens) => {
    expect(findWindow({ model, peak: 0, marked: false, env })).toEqual({
      tokens,
      source: 'table',
      confidence: 'inferred',
    });
  });

  test.each([['MiniMax-M2.7'], ['glm-5.1'], ['claude-3-5-sonnet-20241022'], [null]])(
    'assumes 200,000 for the model %s',
    (model) => {
      const window = findWindow({ model, peak: 0, marked: false });
      expect(window).toEqual({ tokens: STANDARD, source: 'default', confidence: 'assumed' });
    },
  );

  test('takes the configured size first, as certain', () => {
    const window = findWindow({ configured: 500_000, model: 'claude-opus-5-5', peak: 0, marked: true });
    expect(window).toEqual({ tokens: 500_000, source: 'config', confidence: 'certain' });
  });

  test('takes a [1m] mark before the table', () => {
    const window = findWindow({ model: 'claude-opus-4-6', peak: 0, marked: true });
    expect(window).toEqual({ tokens: LARGE, source: 'mark', confidence: 'inferred' });
  });

  test('holds a marked model to 200,000 under CLAUDE_CODE_DISABLE_1M_CONTEXT', () => {
    const window = findWindow({ model: 'claude-opus-4-6', peak: 0, marked: true, env: HELD });
    expect(window.tokens).toBe(STANDARD);
  });

  test("lets the user's own table beat the built-in one", () => {
    const sizes = { 'opus-5': 400_000, MiniMax: 204_800 };
    expect(findWindow({ model: 'claude-opus-5-5', peak: 0, marked: false, table: sizes }).tokens).toBe(
      400_000,
    );
    expect(findWindow({ model: 'MiniMax-M2.7', peak: 0, marked: false, table: sizes })).toEqual({
      tokens: 204_800,
      source: 'table',
      confidence: 'inferred',
    });
  });

  // [what, evidence, tokens, source]
  const proofs: [string, Parameters<typeof findWindow>[0], number, string][] = [
    ['a default', { model: 'glm-5.1', peak: 200_001, marked: false }, LARGE, 'usage'],
    ['the table', { model: 'claude-sonnet-4-20250514', peak: 534_859, marked: false }, LARGE, 'usage'],
    ['every class', { model: 'claude-opus-5-5', peak: 1_200_000, marked: false }, 1_200_000, 'usage'],
  ];
  test.each(proofs)('lets a measured usage disprove %s', (_, evidence, tokens, source) => {
    expect(findWindow(evidence)).toEqual({ tokens, source, confidence: 'inferred' });
  });

  test('believes the window that the user set, whatever is measured', () => {
    const window = findWindow({ configured: 100_000, model: null, peak: 150_000, marked: false });
    expect(window).toEqual({ tokens: 100_000, source: 'config', confidence: 'certain' });
  });

  test('does not take a usage of exactly the window for a larger one', () => {
    expect(findWindow({ model: 'claude-sonnet-4-6', peak: STANDARD, marked: false })).toEqual({
      tokens: STANDARD,
      source: 'table',
      confidence: 'inferred',
    });
  });

  test('confirms a large window that only the table knew by a usage above 200,000', () => {
    const before = findWindow({ model: 'claude-opus-5-5', peak: 200_000, marked: false });
    const after = findWindow({ model: 'claude-opus-5-5', peak: 200_001, marked: false });
    expect([before.source, after.source]).toEqual(['table', 'usage']);
    expect(after.tokens).toBe(LARGE);
  });
});
