import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createPricing } from '../../../../activities/engine/models/calls/prices';
import { addDecimals, sessionUsage } from '../../../../contracts/models/usage';

const used = (inputTokens: number, outputTokens: number, cachedTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedTokens,
});

test.each([
  ['vertexai/gemini-2.5-flash', used(1_000_000, 1_000_000), '2.8'],
  ['genai/gemini-2.5-flash', used(1200, 80), '0.00056'],
  ['vertexai/gemini-2.5-flash', used(1200, 80, 1000), '0.00029'],
  ['vertexai/gemini-2.5-pro', used(200_000, 0), '0.25'],
  ['vertexai/gemini-2.5-pro', used(200_001, 1), '0.5000175'],
  ['genai/gemini-2.5-flash-lite', used(1, 0), '0.0000001'],
  ['vertexai/gemini-2.5-flash', used(0, 0), '0'],
])('%s with %j costs $%s', (model, usage, amount) => {
  expect(createPricing(undefined)(model, usage)).toEqual({ amount, priceTable: '2026-11-21' });
});

test('a model without a price is not free, but unknown', () => {
  expect(createPricing(undefined)('ai:openai-compatible/qwen3:8b', used(1, 1))).toBeUndefined();
});

test('custom prices win, by the full name or by the model’s own name', () => {
  const own = { input: '1', cached: '0', output: '2' };
  const pricing = createPricing(JSON.stringify({ 'qwen3:8b': own, 'vertexai/gemini-2.5-flash': own }));
  const cost = { amount: '3', priceTable: 'SUREFOOT_PRICES' };
  expect(pricing('ai:openai-compatible/qwen3:8b', used(1_000_000, 1_000_000))).toEqual(cost);
  expect(pricing('vertexai/gemini-2.5-flash', used(1_000_000, 1_000_000))).toEqual(cost);
  expect(pricing('genai/gemini-2.5-flash', used(1_000_000, 0))).toEqual({ amount: '0.3', priceTable: '2026-11-21' });
});

test('custom prices may be in a file, with a version that is stored with each cost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-prices-'));
  const file = join(folder, 'prices.json');
  const prices = { 'gemini-2.5-flash': { input: '0.60', cached: '0', output: '5' } };
  const costOf = (content: object, name = 'vertexai/gemini-2.5-flash') => {
    writeFileSync(file, JSON.stringify(content));
    return createPricing(file)(name, used(1_000_000, 1_000_000));
  };
  expect(costOf({ version: '2027-01-01', prices })).toEqual({ amount: '5.6', priceTable: '2027-01-01' });
  expect(costOf({ version: '2027-01-01', prices }, 'vertexai/gemini-2.5-pro')).toMatchObject({
    priceTable: '2026-11-21',
  });
  expect(costOf(prices)).toEqual({ amount: '5.6', priceTable: 'SUREFOOT_PRICES' });
  expect(() => costOf({ version: '2027-01-01', prices: { m: {} } })).toThrow('SUREFOOT_PRICES is not usable');
  rmSync(folder, { recursive: true });
});

test.each([
  ['nonsense'],
  ['{"m":{"input":0.3,"cached":"0","output":"0"}}'],
  ['{"m":{"input":"-1","cached":"0","output":"0"}}'],
])('prices such as %s are refused at the start', (text) =>
  expect(() => createPricing(text)).toThrow('SUREFOOT_PRICES is not usable'),
);

test('sums of money are exact', () => {
  expect(addDecimals(['0.1', '0.2', '0.7'])).toBe('1');
  expect(addDecimals(['0.1', '0.2'])).toBe('0.3');
  expect(addDecimals(['12', '0.0000001'])).toBe('12.0000001');
  expect(addDecimals([])).toBe('0');
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 10 ** 9 })), (cents) => {
      const asText = cents.map((amount) => `${Math.floor(amount / 1000)}.${String(amount % 1000).padStart(3, '0')}`);
      const [whole, part = ''] = addDecimals(asText).split('.');
      expect(Number(`${whole}${part.padEnd(3, '0')}`)).toBe(cents.reduce((sum, amount) => sum + amount, 0));
    }),
  );
});

test('the usage of a session is that of its steps together', () => {
  const step = {
    calls: 2,
    inputTokens: 10,
    outputTokens: 5,
    cachedTokens: 1,
    totalTokens: 15,
    unpricedCalls: 0,
    isEstimated: false,
  };
  const steps = [
    { ...step, stepIndex: 0, cost: '0.10' },
    { ...step, stepIndex: 2, cost: '0.05', unpricedCalls: 1, isEstimated: true },
  ];
  expect(sessionUsage(steps)).toEqual({
    calls: 4,
    inputTokens: 20,
    outputTokens: 10,
    cachedTokens: 2,
    totalTokens: 30,
    cost: '0.15',
    unpricedCalls: 1,
    isEstimated: true,
    currency: 'USD',
    credits: '15',
    steps,
  });
});
