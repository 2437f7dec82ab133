import { castText } from '../../../activities/results/cast-text';
import { toNumber } from '../../../rules/page-text/to-number';

it.each([
  ['-42', -42],
  ['−5 °C', -5],
  ['(1,250)', -1250],
  ['($42.00)', -42],
  ['42.10-', -42.1],
  ['-$42', -42],
  ['$-42', -42],
  ['+3', 3],
  ['.5', 0.5],
  ['0.5', 0.5],
  ['10k', 10_000],
  ['2.5 million', 2_500_000],
  ['1,5 %', 1.5],
  ['1 299 €', 1299],
  ["1'299.50", 1299.5],
  ['1,234.56', 1234.56],
  ['1.234,56', 1234.56],
  ['Total: £49.00', 49],
  ['EUR49', 49],
  ['In stock: 3', 3],
  ['3 left', 3],
  ['(12 reviews)', 12],
  ['4.5 out of 5 stars', 4.5],
  ['4.5/5', 4.5],
  ['10 kg', 10],
])('%s is the number %d', (text, number) => {
  expect(toNumber(text)).toBe(number);
});

it.each([
  'INV-2024030',
  'A42',
  '12b',
  '007',
  '+49 30 1234567',
  '(555) 123-4567',
  '555-1234',
  '2024-01-05',
  '3.14.15',
  '192.168.0.1',
  'North',
  '',
])('“%s” is no number, and stays the text that it is', (text) => {
  expect(castText(text, { type: 'number' })).toBe(text);
  expect(castText(text, { type: 'string' })).toBe(text);
});
