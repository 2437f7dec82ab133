import { judgementOf, describeUnknownOutcome, type UnknownOutcome } from '../../../contracts/approvals/unknown-outcome';

const unknown: UnknownOutcome = {
  commandId: 'c1',
  action: 'CLICK_ELEMENT',
  what: 'button "Place order"',
  urlBefore: 'https://shop.test/checkout',
  urlAfter: 'https://shop.test/checkout',
  eventDelivered: true,
  requests: [],
};
const NOBODY = 'Nobody knows whether CLICK_ELEMENT button "Place order" happened, and repeating it could do it twice.';

test.each<[what: string, change: Partial<UnknownOutcome>, sentence: string]>([
  [
    'the page has its event and sent nothing',
    {},
    'The page has seen its event. The page is https://shop.test/checkout. No request was seen since.',
  ],
  [
    'the page went elsewhere, and one request failed, one has no answer',
    {
      eventDelivered: false,
      urlAfter: 'https://shop.test/orders',
      requests: [
        { method: 'POST', url: '/orders', status: 500 },
        { method: 'POST', url: '/log', failure: 'net::ERR_FAILED' },
        { method: 'GET', url: '/orders' },
      ],
    },
    'The document it was meant for is gone, or was never reached. ' +
      'The page went from https://shop.test/checkout to https://shop.test/orders. ' +
      'Requests since: POST /orders 500, POST /log net::ERR_FAILED, GET /orders no answer.',
  ],
  [
    'a check could have found it out',
    { proposedCheck: ['Open https://shop.test/orders', 'Expect "${order}"'] },
    'The page has seen its event. The page is https://shop.test/checkout. No request was seen since. ' +
      'The site may show it: Open https://shop.test/orders, Expect "${order}". ' +
      'With "check": ["Open https://shop.test/orders","Expect \\"${order}\\""] the step finds out by itself.',
  ],
])('the description says when %s', (_what, change, sentence) => {
  expect(describeUnknownOutcome({ ...unknown, ...change })).toBe(`${NOBODY} ${sentence}`);
});

test('the description says when its browser was lost', () => {
  const { eventDelivered: _eventDelivered, ...lost } = unknown;
  expect(describeUnknownOutcome(lost)).toContain('Its browser was lost with it.');
});

test.each([
  [undefined, undefined],
  [{}, undefined],
  [{ unknownOutcome: 'happened' }, 'happened'],
  [{ unknownOutcome: 'cannot-know' }, 'cannot-know'],
  [{ unknownOutcome: 'who knows' }, undefined],
])('the context %j of a reply says %s of an unknown outcome', (context, judgement) => {
  expect(judgementOf(context)).toBe(judgement);
});
