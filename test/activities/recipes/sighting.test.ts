/** What a page says that is new is what has to follow the next time. */
import { differenceOf } from '../../../activities/engine/recipes/check-effect';
import { messageTexts } from '../../../activities/engine/recipes/sighting';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { toPagePattern } from '../../../contracts/recipes/page-pattern';

const aPage = (said: string): PageSnapshot => ({
  snapshotId: 's',
  url: 'https://shop.test/form',
  title: 'Form',
  tabs: [],
  nodes: [{ role: 'status', since: 'changed', text: said }],
});

test('of a long message its beginning is kept, and a page that says another one is not what followed', () => {
  const rest = 'and so on, '.repeat(20);
  const page = aPage(`Sent: Grace, 12 letters, ${rest}`);
  const texts = messageTexts(page);
  expect(texts).toEqual([expect.stringMatching(/^Sent: Grace, # letters, and so on/)]);
  expect(texts[0]!.length).toBeLessThanOrEqual(120);
  const after = { page: toPagePattern(page.url), texts, requests: [] };
  expect(differenceOf(after, page, [], new Map())).toBeUndefined();
  expect(differenceOf(after, aPage(`Refused: ${rest}`), [], new Map())).toMatchObject({ text: texts[0] });
});
