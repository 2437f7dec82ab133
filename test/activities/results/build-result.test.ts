/** What the parts of a step come to, and when that is complete. */
import { buildResult, describeMissing, mostRows } from '../../../activities/results/build-result';
import type { ResultPart } from '../../../contracts/results/result-part';
import type { JsonSchema } from '../../../contracts/results/result-request';

const ROWS: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { name: { type: 'string' }, price: { type: 'number' } },
    required: ['name', 'price'],
  },
};
const PAGE = 'https://shop.test/list';

/** A page with these rows; each value has its source. */
function aPart(names: string[], more: Partial<ResultPart> = {}): ResultPart {
  const url = more.url ?? PAGE;
  const value = names.map((name, at) => ({ name, price: at + 1 }));
  const sources = value.flatMap((row, at) =>
    Object.entries(row).map(([key, each]) => ({
      path: `/${at}/${key}`,
      url,
      selector: `li:nth-of-type(${at + 1}) .${key}`,
      text: String(each),
    })),
  );
  const lists = [{ path: '', seen: names.length, returned: names.length, skipped: [] }];
  return { url, value, sources, lists, ...more };
}
const page = (number: number) => `${PAGE}?page=${number}`;
const build = (parts: ResultPart[], request: { schema?: JsonSchema; pages?: number } = {}) =>
  buildResult({ schema: ROWS, ...request }, parts, 2);
const namesOf = ({ value }: { value: unknown }) => (value as { name: string }[]).map(({ name }) => name);

test('pages of a list are put together in their order, and each source follows its row', async () => {
  const result = await build([
    aPart(['a', 'b'], { next: { text: 'Next', href: page(2) } }),
    aPart(['c'], { url: page(2) }),
  ]);
  expect(result).toMatchObject({ isComplete: true, stepIndex: 2, rows: { seen: 3, returned: 3 }, missing: [] });
  expect(namesOf(result)).toEqual(['a', 'b', 'c']);
  expect(result.sources.find(({ path }) => path === '/2/name')).toMatchObject({ url: page(2), text: 'c' });
  expect(result.pages.map(({ url, returned }) => [url, returned])).toEqual([
    [PAGE, 2],
    [page(2), 1],
  ]);
});

test('a page that was read again counts once, also when it shows more rows than before', async () => {
  expect(namesOf(await build([aPart(['a', 'b']), aPart(['a', 'b'])]))).toEqual(['a', 'b']);
  expect(namesOf(await build([aPart(['a', 'b']), aPart(['a', 'b', 'c'])]))).toEqual(['a', 'b', 'c']);
});

test('of a page that shows other rows under the same address, those that were there before are left out', async () => {
  const before = aPart(['a', 'b']);
  const after = aPart(['x', 'c']);
  after.value = [
    { name: 'b', price: 2 },
    { name: 'c', price: 3 },
  ];
  const result = await build([before, after]);
  expect(namesOf(result)).toEqual(['a', 'b', 'c']);
  expect(result.sources.filter(({ path }) => path.startsWith('/2/'))).toHaveLength(2);
});

test('equal rows of different pages are both kept', async () => {
  expect(namesOf(await build([aPart(['a']), aPart(['a'], { url: page(2) })]))).toEqual(['a', 'a']);
});

test('a page that was answered with an error makes the result incomplete, unless it was read later', async () => {
  const failed = aPart([], { url: page(2), status: 500, value: [], lists: [] });
  const once = await build([aPart(['a']), failed]);
  expect(once.missing).toEqual([{ message: `The page ${page(2)} was answered with status 500.`, url: page(2) }]);
  expect((await build([aPart(['a']), failed, failed])).missing[0]!.message).toContain('also when it was loaded again');
  expect(await build([aPart(['a']), failed, aPart(['b'], { url: page(2), status: 200 })])).toMatchObject({
    isComplete: true,
    value: [{ name: 'a' }, { name: 'b' }],
  });
  expect(describeMissing(once)).toBe(
    `The result is incomplete: The page ${page(2)} was answered with status 500. 1 rows of 2 pages were read.`,
  );
});

test('a list that goes on is incomplete, unless the limit of pages or rows is reached', async () => {
  const goesOn = aPart(['a', 'b'], { next: { text: 'Next', href: page(2) } });
  expect((await build([goesOn])).missing).toEqual([
    { message: `The page after ${PAGE} was not read: it is ${page(2)}.`, url: page(2) },
  ]);
  expect((await build([goesOn], { pages: 1 })).isComplete).toBe(true);
  const two = { ...ROWS, maxItems: 2 };
  expect(mostRows(two)).toBe(2);
  expect((await build([goesOn], { schema: two })).isComplete).toBe(true);
  const one = await build([goesOn], { schema: { ...ROWS, maxItems: 1 } });
  expect([namesOf(one), one.sources.length]).toEqual([['a'], 2]);
});

test('fewer rows than the page announces are incomplete', async () => {
  expect((await build([aPart(['a'], { announced: 3 })])).missing[0]!.message).toBe(
    'The page says that there are 3 rows, and 1 were read.',
  );
});

test('a row that gave nothing is named, with its text', async () => {
  const lists = [{ path: '', seen: 2, returned: 1, skipped: [{ row: 2, text: 'Sold out' }] }];
  const result = await build([aPart(['a'], { lists })]);
  expect(result.rows).toEqual({ seen: 2, returned: 1 });
  expect(result.missing[0]!.message).toContain('Row 2 of https://shop.test/list (“Sold out”) has nothing');
});

test('what does not fit the schema is named with its row, its value and the page', async () => {
  const part = aPart(['a', 'b']);
  part.value = [{ name: 'a', price: 'soon' }, { name: 'b' }];
  const { missing } = await build([part]);
  expect(missing.map(({ message, path }) => [path, message])).toEqual([
    ['/0/price', `price of row 1 (“1”, ${PAGE}) must be number, got "soon".`],
    ['/1/price', expect.stringMatching(/^price of row 2 .*is missing\.$/)],
  ]);
});

test('many gaps are counted, and without a page there is one', async () => {
  const part = aPart(Array.from({ length: 30 }, (_, at) => `n${at}`));
  part.value = (part.value as { name: string }[]).map(({ name }) => ({ name }));
  const { missing } = await build([part]);
  expect(missing).toHaveLength(21);
  expect(missing.at(-1)).toEqual({ message: '10 more.' });
  expect((await build([])).missing).toEqual([{ message: 'No page was read for it.' }]);
});

test('of single values the newest page counts, and a list inside an object is put together too', async () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { title: { type: 'string' }, items: ROWS },
    required: ['title', 'items'],
  };
  const toPart = (title: string, names: string[], url: string): ResultPart => {
    const rows = aPart(names, { url });
    return {
      url,
      value: { title, items: rows.value },
      sources: [
        { path: '/title', url, selector: 'h1', text: title },
        ...rows.sources.map((source) => ({ ...source, path: `/items${source.path}` })),
      ],
      lists: [{ path: '/items', seen: names.length, returned: names.length, skipped: [] }],
    };
  };
  const result = await build([toPart('One', ['a'], page(1)), toPart('Two', ['b'], page(2))], { schema });
  expect(result).toMatchObject({ isComplete: true, value: { title: 'Two', items: [{ name: 'a' }, { name: 'b' }] } });
  expect(result.sources.filter(({ path }) => path === '/title')).toEqual([
    expect.objectContaining({ url: page(2), text: 'Two' }),
  ]);
  expect(result.sources.find(({ path }) => path === '/items/1/name')).toMatchObject({ url: page(2) });
});
