/** Values that a model chooses by refs, through the tool `extract` on pages in a real Chrome: none is written by a model. */
import type { SessionResult } from '../../../contracts/results/result';
import type { JsonSchema } from '../../../contracts/results/result-request';
import { settleResult } from '../../../activities/results/settle-result';
import type { ToolRegistry } from '../../../activities/engine/tools/port';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { aToolRegistry } from '../../support/engine-tools';
import { refOf, toolCaller } from '../../support/tool-caller';

let stage: BrowserStage;
let toolRegistry: ToolRegistry;
beforeAll(async () => {
  stage = await openBrowserStage();
  toolRegistry = aToolRegistry(stage.store, [], stage.env).toolRegistry;
});
afterAll(async () => {
  await stage.stop();
});

let pages = 0;
/** A session with a task that is to return this, on a page with this markup. */
async function opened(schema: JsonSchema, html: string) {
  const session = await stage.newSession({ steps: [{ task: 'Read it', result: { schema } }] });
  const call = toolCaller(session, toolRegistry);
  const url = stage.page(`/chosen-${(pages += 1)}`, html);
  await call('navigate', { url });
  const settled = async (): Promise<SessionResult> => {
    await settleResult(stage.store, session.sessionId, 0);
    return (await stage.store.results.get(session.sessionId))!;
  };
  return { session, call, url, settled };
}

const list = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'array',
  items: { type: 'object', properties, required: Object.keys(properties) },
});

const OFFERS = `
  <main><h1>Offers</h1><section>
    <div class=box><a href="/p/1"><span>Oak desk</span></a><i>wood</i><em>120 €</em></div>
    <div class=box><a href="/p/2"><span>Ash chair</span></a><em>45,50 €</em></div>
    <div class=box><a href="/p/3"><span>Elm shelf</span></a><i>wood</i><em>80 €</em></div>
    <div class=note>Prices with tax</div>
  </section></main>`;

test('rows without names of their parts are read like the chosen one, each value with its node', async () => {
  const schema = list({
    article: { type: 'string' },
    gross: { type: 'number' },
    page: { type: 'string', format: 'uri' },
  });
  const { call, url, settled } = await opened(schema, OFFERS);
  const first = await call('extract', {});
  expect(first.text).toMatch(/Not found on the page: .*gross.*extract with values/);
  const { text } = await call('read_page', {});
  const name = refOf(text, 'Oak desk');
  const price = /\[ref=(\w+)\]: 120 €/.exec(text)![1]!;
  const values = [
    { member: 'article', ref: name },
    { member: 'gross', ref: price },
    { member: 'page', ref: name },
  ];
  const read = await call('extract', { values });
  expect(read.text).toContain('3 rows were read and kept.');
  const result = await settled();
  const at = (number: number) => new URL(`/p/${number}`, url).href;
  expect(result.value).toEqual([
    { article: 'Oak desk', gross: 120, page: at(1) },
    { article: 'Ash chair', gross: 45.5, page: at(2) },
    { article: 'Elm shelf', gross: 80, page: at(3) },
  ]);
  expect(result).toMatchObject({ isComplete: true, rows: { seen: 3, returned: 3 } });
  expect(result.sources).toContainEqual({
    path: '/0/gross',
    url,
    selector: expect.any(String),
    text: '120 €',
    ref: price,
  });
  const address = result.sources.find(({ path }) => path === '/1/page');
  expect(address).toMatchObject({ attribute: 'href', text: at(2) });
  expect(address).not.toHaveProperty('ref');
});

test('a wrong column is put right by its cell, and what was not chosen is still found by its name', async () => {
  const { call, settled } = await opened(
    list({ name: { type: 'string' }, total: { type: 'number' }, id: { type: 'string' } }),
    `<table><thead><tr><th>Name<th>Total<th>Sum due</thead><tbody>
      <tr data-order="A-7"><td>Ada</td><td>1</td><td>10.00</td></tr>
      <tr data-order="A-8"><td>Ben</td><td>2</td><td>20.00</td></tr></tbody></table>`,
  );
  const { text } = await call('read_page', {});
  const values = [
    { member: 'total', ref: refOf(text, '10.00') },
    { member: 'id', ref: refOf(text, 'Ada'), attribute: 'data-order' },
  ];
  await call('extract', { values });
  expect((await settled()).value).toEqual([
    { name: 'Ada', total: 10, id: 'A-7' },
    { name: 'Ben', total: 20, id: 'A-8' },
  ]);
});

test('single values, those of nested objects and lists of plain values are chosen too', async () => {
  const { call, settled } = await opened(
    {
      type: 'object',
      properties: {
        owner: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        labels: { type: 'array', items: { type: 'string' } },
      },
      required: ['owner', 'labels'],
    },
    '<h1>Account</h1><p>Based in</p><h3>Lyon</h3><ul><li>red</li><li>blue</li><li>green</li></ul>',
  );
  const { text } = await call('read_page', {});
  const values = [
    { member: 'owner.city', ref: refOf(text, 'Lyon') },
    { member: 'labels', ref: /listitem \[ref=(\w+)\][^\n]*: red/.exec(text)![1]! },
  ];
  await call('extract', { values });
  expect((await settled()).value).toEqual({ owner: { city: 'Lyon' }, labels: ['red', 'blue', 'green'] });
});

test('a member beyond the schema, a ref of nothing and fields beside values are refused with advice', async () => {
  const { call } = await opened(list({ article: { type: 'string' }, gross: { type: 'number' } }), OFFERS);
  const { text } = await call('read_page', {});
  const ref = refOf(text, 'Oak desk');
  const unknown = await call('extract', { values: [{ member: 'price', ref }] });
  expect(unknown.text).toMatch(/no value “price”; it has .*gross/);
  expect((await call('extract', { values: [{ member: 'gross', ref: 'e9999' }] })).text).toContain('e9999');
  expect((await call('extract', { fields: [{ name: 'x' }], values: [{ member: 'gross', ref }] })).text).toContain(
    'either fields or values',
  );
  expect((await call('extract', { values: [{ member: 'gross', ref, attribute: 'onclick' }] })).text).toContain('data-');
});

test('a list of which no row was found is incomplete, unless the page says that there is none', async () => {
  const schema = list({ isbn: { type: 'string' } });
  const silent = await opened(schema, '<h1>Books</h1><p>Welcome</p>');
  await silent.call('extract', {});
  const missing = await silent.settled();
  expect(missing.isComplete).toBe(false);
  expect(missing.missing[0]!.message).toContain(`No row was found on ${silent.url}`);
  const empty = await opened(schema, '<h1>Books</h1><p>No matching books: 0 results.</p>');
  await empty.call('extract', {});
  expect(await empty.settled()).toMatchObject({ isComplete: true, value: [] });
});
