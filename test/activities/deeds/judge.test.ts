// cspell:disable
import type { PageNode } from '../../../contracts/browsers/page-snapshot';
import { judgePress } from '../../../activities/deeds/presses';
import { requestOfPage, requestsOf } from '../../../activities/engine/tools/planning/sent-before';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { JournalEntry } from '../../../store/journal/journal';
import { aPlanContext, aSnapshot, plan } from '../../support/planning';

const pageUrl = 'https://shop.test/list';
const button: PageNode = { role: 'button', name: 'OK', ref: 'e1' };

test('a control whose click has sent a deed before asks the next time, and names the request', () => {
  const click = (url: string, method = 'POST') =>
    ({
      pageUrl: `${pageUrl}?page=2`,
      target: { role: 'button', name: 'OK' },
      evidence: { kind: 'observed', requests: [{ method, url }] },
    }) as unknown as JournalEntry;
  const judged = (entry: JournalEntry, node = button) =>
    judgePress({ node, ancestors: [] }, { pageUrl, sentBefore: requestsOf([entry], [], pageUrl) });
  expect(judged(click('https://shop.test/orders'))).toEqual({
    kind: 'deed',
    why: 'When it was pressed before, it sent POST https://shop.test/orders.',
  });
  expect(judged(click('https://shop.test/items/3', 'DELETE')).kind).toBe('deed');
  expect(judged(click('https://shop.test/collect')).kind).toBe('harmless');
  expect(judged(click('https://shop.test/orders'), { ...button, name: 'Next' }).kind).toBe('harmless');
});

test('a control asks whose deed a recipe of another session knows, on pages of that pattern alone', () => {
  const target = { selector: '#ok', role: 'button', name: 'OK', nth: 0, of: 1, around: [], attributes: {} };
  const round = (request: string, page = 'https://shop.test/list'): RecipeRound => ({
    page,
    commands: [{ action: 'CLICK_ELEMENT', parameters: {}, target }],
    after: { page, texts: [], requests: [request] },
  });
  const judged = (learnt: RecipeRound, node = button) =>
    judgePress({ node, ancestors: [] }, { pageUrl, sentBefore: requestsOf([], [learnt], pageUrl) });
  expect(judged(round('POST https://shop.test/orders/:number'))).toEqual({
    kind: 'deed',
    why: 'When it was pressed before, it sent POST https://shop.test/orders/:number.',
  });
  expect(judged(round('DELETE https://shop.test/items/:number')).kind).toBe('deed');
  expect(judged(round('POST https://shop.test/orders', '*')).kind).toBe('deed');
  expect(judged(round('POST https://shop.test/orders', 'https://shop.test/cart')).kind).toBe('harmless');
  expect(judged(round('POST https://shop.test/collect')).kind).toBe('harmless');
  expect(judged(round('POST https://shop.test/orders'), { ...button, name: 'Next' }).kind).toBe('harmless');
});

test('a reload of the answer to a form that was posted asks, one of any other page does not', async () => {
  const did = (...requests: object[]) => ({ evidence: { kind: 'observed', requests } }) as unknown as JournalEntry;
  const posted = { method: 'POST', url: pageUrl, status: 200 };
  const got = { method: 'GET', url: pageUrl, status: 200 };
  const reloads = (...done: JournalEntry[]) => {
    const context = aPlanContext({
      look: aSnapshot(`${pageUrl}#top`),
      requestOfPage: requestOfPage(done, `${pageUrl}#top`),
    });
    return plan(context, 'reload', {});
  };
  expect(await reloads(did(posted))).toMatchObject({ classification: 'destructive' });
  // Answered with a redirect to itself, or opened since.
  for (const done of [
    [did({ ...posted, status: 303 }, got)],
    [did(posted), did(got)],
    [did({ ...posted, url: 'https://shop.test/x' })],
    [],
  ])
    expect((await reloads(...done)).classification).not.toBe('destructive');
});

test.each([
  ['blob:https://shop.test/1', [], 'https://elsewhere.test/', 'external'],
  ['blob:https://shop.test/1', [], 'https://shop.test/', 'write'],
  ['blob:null/1', ['https://shop.test/'], 'https://elsewhere.test/', 'external'],
  ['data:text/html,x', [], 'https://elsewhere.test/', 'external'],
  ['about:blank', ['https://shop.test/'], 'https://elsewhere.test/', 'external'],
  ['about:blank', ['https://shop.test/'], 'https://shop.test/cart', 'write'],
  ['about:blank', [], 'https://elsewhere.test/', 'write'],
  ['https://shop.test/', [], 'https://shop.test/delete?id=3', 'destructive'],
  ['https://shop.test/', [], 'https://shop.test/logout', 'destructive'],
  ['https://shop.test/', [], 'https://shop.test/orders?id=3', 'write'],
] as const)('from %s with the tabs %j, going to %s is %s', async (url, tabs, to, classification) => {
  const look = { ...aSnapshot(url), tabs: tabs.map((each) => ({ title: '', url: each, isActive: false })) };
  expect(await plan(aPlanContext({ look }), 'navigate', { url: to })).toMatchObject({ classification });
});

test.each(['https://shop.test/delete?id=3', 'https://shop.test/logout'])(
  'a new tab with %s asks as going there does',
  async (url) => {
    const context = aPlanContext({ look: aSnapshot('https://shop.test/') });
    expect(await plan(context, 'open_tab', { url })).toMatchObject({ classification: 'destructive' });
  },
);

test('over a relay a name in another language, a disguise, a key and an address ask as well', async () => {
  const shownText =
    '- button "Usuń" [ref=e1]\n- button "Dеlеtе" [ref=e2]\n- option "File" [ref=e3]\n- link "Home" [ref=e4]';
  const relay = aPlanContext({ agent: { executor: 'relay', browserSessionId: 'b' }, shownText });
  const of = async (name: string, args: Record<string, unknown>) => (await plan(relay, name, args)).classification;
  expect(await of('computer', { action: 'left_click', ref: 'e1' })).toBe('destructive');
  expect(await of('computer', { action: 'left_click', ref: 'e2' })).toBe('destructive');
  expect(await of('computer', { action: 'key', text: 'Delete', ref: 'e3' })).toBe('destructive');
  expect(await of('navigate', { url: 'https://shop.test/delete?id=3' })).toBe('destructive');
  expect(await of('computer', { action: 'left_click', ref: 'e4' })).toBe('write');
});
