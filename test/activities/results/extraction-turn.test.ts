/** What the rules do in each turn of an extraction, from what was read so far. */
import type { ExtractionFacts, PastTurn } from '../../../contracts/model-port/port';
import { beforeExtraction, extractionTurn } from '../../../rules/tasks/extraction-turn';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';

const FIRST = 'https://shop.test/list';
const SECOND = 'https://shop.test/list?page=2';
const SNAPSHOT: PageSnapshot = {
  snapshotId: 's',
  url: FIRST,
  title: 'List',
  tabs: [],
  nodes: [
    { role: 'button', name: 'More', ref: 'e4', disabled: true },
    { role: 'button', name: 'More', ref: 'e5' },
  ],
};
type Kind = 'open' | 'read' | 'wait' | 'next' | 'repair';

const past = (extraction: Kind, failure?: string): PastTurn =>
  ({
    raw: { form: 'rules', provider: 'rules', parts: [{ extraction }] },
    outcomes: [failure === undefined ? { status: 'done' } : { status: 'failed', error: { message: failure } }],
  }) as unknown as PastTurn;
const aPage = (more: Partial<ExtractionFacts['pages'][number]> = {}): ExtractionFacts['pages'][number] => ({
  url: FIRST,
  rows: 20,
  hasLists: true,
  ...more,
});

/** The call of the turn after these, as `kind name args`; the text of one that ends the extraction. */
function turnAfter(pastTurns: PastTurn[], facts: Partial<ExtractionFacts> = {}, url?: string): string {
  const { functionCalls, raw, text, isGivenUp } = extractionTurn(
    { url, snapshot: SNAPSHOT, pastTurns },
    {
      isStep: true,
      isRepair: false,
      pages: [],
      isSameAsBefore: false,
      mostRows: Infinity,
      mostPages: Infinity,
      ...facts,
    },
  );
  const [call] = functionCalls;
  if (call === undefined) return `${isGivenUp === true ? 'gives up' : 'ends'}: ${text}`;
  return `${(raw!.parts[0] as { extraction: Kind }).extraction} ${call.name} ${call.args}`;
}
const next = { text: 'Next', href: SECOND };
const READ = [past('read')];

test.each([
  ['begins with the address of its step', [], {}, FIRST, `open navigate {"url":"${FIRST}"}`],
  ['reads the page where it has no address', [], {}, undefined, 'read extract {}'],
  ['reads what it has opened', [past('open')], {}, FIRST, 'read extract {}'],
  [
    'follows the link to the next page',
    READ,
    { pages: [aPage({ next })] },
    undefined,
    `next navigate {"url":"${SECOND}"}`,
  ],
  [
    'clicks the control that can be used where it has no address',
    READ,
    { pages: [aPage({ next: { text: 'More' } })] },
    undefined,
    'next computer {"action":"left_click","ref":"e5"}',
  ],
  ['waits for rows that may still load', READ, { pages: [aPage({ rows: 0 })] }, undefined, 'wait wait {"seconds":1}'],
  [
    'waits where a click has not changed the rows yet',
    [...READ, past('next'), past('read')],
    { pages: [aPage({ next: { text: 'More' } }), aPage({ next: { text: 'More' } })], isSameAsBefore: true },
    undefined,
    'wait wait {"seconds":1}',
  ],
  [
    'ends when the rows do not come',
    [past('open'), past('read'), past('wait'), past('read'), past('wait'), past('read'), past('wait'), past('read')],
    { pages: [aPage({ rows: 0 })] },
    undefined,
    'ends: 0 rows were read from 1 page.',
  ],
  [
    'ends with the last page',
    READ,
    { pages: [aPage(), aPage({ url: SECOND })] },
    undefined,
    'ends: 40 rows were read from 2 pages.',
  ],
  [
    'ends when there are enough rows',
    READ,
    { pages: [aPage({ next })], mostRows: 20 },
    undefined,
    'ends: 20 rows were read from 1 page.',
  ],
  [
    'ends when there are enough pages',
    READ,
    { pages: [aPage({ next })], mostPages: 1 },
    undefined,
    'ends: 20 rows were read from 1 page.',
  ],
  [
    'ends where the list leads back',
    READ,
    { pages: [aPage({ url: SECOND }), aPage({ next })] },
    undefined,
    'ends: The list leads back to a page that was read.',
  ],
  [
    'ends at a page with an error',
    READ,
    { pages: [aPage({ status: 500 })] },
    undefined,
    `ends: The page ${FIRST} was answered with status 500.`,
  ],
  [
    'opens the next page once more when that failed',
    [...READ, past('next', 'no answer')],
    { pages: [aPage({ next })] },
    undefined,
    `next navigate {"url":"${SECOND}"}`,
  ],
  [
    'ends when it failed twice, with what was read',
    [...READ, past('next', 'no answer'), past('next', 'no answer')],
    { pages: [aPage({ next })] },
    undefined,
    'ends: I could not go on: no answer',
  ],
  [
    'gives up where the first page can not be opened',
    [past('open', 'no answer')],
    {},
    FIRST,
    'gives up: I could not go on: no answer',
  ],
  [
    'loads the page that is missing once more in the repair round',
    READ,
    { pages: [aPage({ next })], isRepair: true },
    undefined,
    `repair navigate {"url":"${SECOND}"}`,
  ],
  [
    'reads it then, and does not load it a second time',
    [...READ, past('repair'), past('read')],
    { pages: [aPage(), aPage({ url: SECOND, status: 500 })], isRepair: true },
    undefined,
    `ends: The page ${SECOND} was answered with status 500.`,
  ],
] as [string, PastTurn[], Partial<ExtractionFacts>, string | undefined, string][])(
  'an extraction %s',
  (_title, pastTurns, facts, url, expected) => {
    expect(turnAfter(pastTurns, facts, url)).toBe(expected);
  },
);

test.each([
  ['Open the shop, then extract all products with name', 'Open the shop'],
  ['Sign in. Extract the orders', 'Sign in'],
  ['Extract all products with name', ''],
])('of “%s” the rules do “%s” first', (task, before) => {
  expect(beforeExtraction(task)).toBe(before);
});
