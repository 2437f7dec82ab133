import { changesBetween, describeView, type ApprovalView } from '../../../contracts/browsers/approval-view';

const view = (change: Partial<ApprovalView> = {}): ApprovalView => ({
  digest: 'one',
  submitsTo: 'POST https://shop.test/pay',
  fields: [{ name: 'amount', value: '10' }],
  text: 'You pay 10 EUR Pay',
  amounts: ['10 EUR'],
  ...change,
});

test.each<[string, Partial<ApprovalView>, string]>([
  ['a value', { fields: [{ name: 'amount', value: '900' }] }, 'amount was “10” and is “900”.'],
  ['the text', { text: 'You pay 900 EUR Pay' }, 'The text around it was “pay 10 EUR” and is “pay 900 EUR”.'],
  ['a sum elsewhere', { amounts: ['900 EUR'] }, 'The amounts on the page were 10 EUR and are 900 EUR.'],
  ['a masked value', { digest: 'two' }, 'A picture or a masked value has changed.'],
  [
    'a number elsewhere',
    { elsewhere: ['Points: 900'] },
    'Elsewhere on the page nothing was there, and now “Points: 900” is.',
  ],
  ['a field that is gone', { fields: [] }, 'amount was “10” and is gone.'],
])('a person who has approved is shown what has changed: %s', (_what, change, sentence) => {
  expect(changesBetween(view(), view(change))).toEqual([sentence]);
});

test('a question says what is sent where, and what stands around the element', () => {
  expect(describeView(view()).join(' ')).toBe(
    'It sends to POST https://shop.test/pay: amount = “10”. Sums on the page: 10 EUR. Around it: “You pay 10 EUR Pay”.',
  );
});
