import { afterLabel, savedValue } from '../../../rules/page-text/saved-value';

test.each([
  ['Total: £49.00', 'total', '£49.00'],
  ['Total £49.00', 'Total', '£49.00'],
  ['Order number\n4711', 'order number', '4711'],
  ['Status – open', 'Status', 'open'],
  ['合計：¥900', '合計', '¥900'], // cspell:disable-line
  ['Balance (1,250.00)', 'Balance', '(1,250.00)'],
  ['3 items · Total 720 €', 'Total', '720 €'],
  ['Phone (home): 0664 555 0134 ✎', 'Phone (home)', '0664 555 0134'],
  ['Owner of 21 Mill Lane. Phone 0117 496 0134', 'phone', '0117 496 0134'],
  ['Firmware 7.4.12, serial FX-2291-K', 'serial', 'FX-2291-K'],
  ['Graz, Austria', 'Austria', undefined],
  ['Name of the product', 'Name', undefined],
  ['Totals: 4', 'Total', undefined],
  ['Total:', 'Total', undefined],
  ['£49.00', 'Total', undefined],
])('of “%s”, called %s, the value is saved', (text, label, value) => {
  expect(afterLabel(text, label)).toBe(value);
  expect(savedValue(text, { label })).toBe(value ?? text);
});

test('a sign behind a value is a button of its own, and a value of signs alone stays', () => {
  expect(savedValue('leaked ✎', {})).toBe('leaked');
  expect(savedValue('★★★', {})).toBe('★★★');
});

test.each([
  ['Total: £1,049.50', '1049.5'],
  ['Total: −5 °C', '-5'],
  ['Total: (1,250)', '-1250'],
  ['Total: 1.234,56 €', '1234.56'],
  ['Total: INV-2024030', undefined],
  ['Total: 3 of 4 in 2', undefined],
  ['Total: unknown', undefined],
])('the number of “%s” is %s', (text, number) => {
  expect(savedValue(text, { label: 'Total', as: 'number' })).toBe(number);
});
