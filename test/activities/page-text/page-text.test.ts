/** What a model gets of a page, and what of it is left out: pure, for any tree. */
import fc from 'fast-check';
import { markChanges } from '../../../rules/page-text/changes';
import { applyPruneMarks } from '../../../activities/browser/pages/snapshots/prune-marks';
import { relevantText } from '../../../rules/page-text/relevant-text';
import { goalWords } from '../../../rules/page-text/goal-words';
import { durableTarget } from '../../../rules/page-text/durable-target';
import { pageText } from '../../../rules/page-text/page-text';
import { walkNodes, type PageSnapshot, type PageNode } from '../../../contracts/browsers/page-snapshot';

const aSnapshot = (nodes: (PageNode | string)[]): PageSnapshot => ({
  snapshotId: 'l',
  url: 'https://shop.test/',
  title: 'Shop',
  tabs: [],
  nodes,
});

describe('a text that is cut by relevance', () => {
  const rows = Array.from({ length: 900 }, (_, index) => `row ${index}: a bean for ${index} EUR`);

  test('keeps the parts with the words, and what stands beside them, in their order', () => {
    const kept = relevantText(rows.join('\n'), ['row 700', 'row 20:'], 200).split('\n');
    expect(kept).toEqual(expect.arrayContaining([rows[19], rows[20], rows[21], rows[700]]));
    expect(kept.indexOf(rows[20]!)).toBeLessThan(kept.indexOf(rows[700]!));
    expect(kept.filter((line) => line === '…').length).toBeGreaterThanOrEqual(2);
  });

  test('of a line without breaks keeps the pieces around the words', () => {
    const markup = `<ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul>`;
    expect(relevantText(markup, ['row 611:'], 1000)).toContain(rows[611]);
  });

  test('without any of the words is its beginning, and a text that fits is whole', () => {
    expect(relevantText(rows.join('\n'), [], 300)).toContain(rows[0]);
    expect(relevantText('short', ['x'], 10)).toBe('short');
  });

  test('never exceeds the limit', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), fc.array(fc.string()), fc.nat(500), (text, words, limit) => {
        expect(relevantText(text, words, limit).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

const ROLES = [
  'generic',
  'list',
  'listitem',
  'row',
  'cell',
  'button',
  'textbox',
  'heading',
  'link',
  'alert',
  'iframe',
  'paragraph',
];
const text = fc.string({ minLength: 0, maxLength: 200, size: 'max' });
const { tree } = fc.letrec<{ tree: PageNode | string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.record(
      {
        role: fc.constantFrom(...ROLES),
        name: text,
        text,
        placeholder: text,
        active: fc.constant(true),
        since: fc.constantFrom('new' as const, 'changed' as const),
        cursor: fc.constant('pointer'),
        children: fc.array(tie('tree'), { maxLength: 6 }),
      },
      { requiredKeys: ['role'] },
    ) as fc.Arbitrary<PageNode>,
  ),
}));

/** Numbers the nodes as a snapshot does, and gives every other one a ref. */
function numbered(nodes: (PageNode | string)[]): (PageNode | string)[] {
  let count = 0;
  const visit = (node: PageNode | string): PageNode | string => {
    if (typeof node === 'string') return node;
    count += 1;
    const ref = count % 2 === 0 ? {} : { ref: `e${count}` };
    return { ...node, ...ref, ...(node.children === undefined ? {} : { children: node.children.map(visit) }) };
  };
  return nodes.map(visit);
}

const anyTree = fc.array(tree, { maxLength: 40, size: 'max' }).map(numbered);
const aButton = (name: string): PageNode => ({ role: 'button', name, ref: 'e100001' });

describe('any page', () => {
  test('its text is within the budget, and each ref of the text resolves', () => {
    fc.assert(
      fc.property(anyTree, fc.integer({ min: 200, max: 12_000 }), (nodes, budget) => {
        const look = aSnapshot(nodes);
        const text = pageText(look, budget, ['bean']);
        expect(text.length).toBeLessThanOrEqual(budget);
        const buttons = new Set(
          [...walkNodes(nodes)].flatMap(({ node }) => (node.role === 'button' ? [node.ref] : [])),
        );
        const shown = [...text.matchAll(/\[ref=(e\d+)\]/g)].map(([, ref]) => ref!).filter((ref) => buttons.has(ref));
        const lost = shown.slice(0, 20).filter((ref) => {
          const target = durableTarget(look, ref);
          return target === undefined || target.nth < 0 || target.nth >= target.of;
        });
        expect(lost).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('the element that the goal names is kept, wherever it is', () => {
    fc.assert(
      fc.property(anyTree, fc.nat(), (nodes, place) => {
        const at = place % (nodes.length + 1);
        const wanted = aButton('Quetzal 4711');
        const look = aSnapshot([...nodes.slice(0, at), wanted, ...nodes.slice(at)]);
        expect(pageText(look, 2000, goalWords(['Click "Quetzal 4711"']))).toContain(
          'button "Quetzal 4711" [ref=e100001]',
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe('a page that is too long', () => {
  const rows = (count: number): PageNode[] =>
    Array.from({ length: count }, (_, index) => ({
      role: 'row',
      name: `Bean ${index} 5 EUR Buy`,
      ref: `e${4 * index}`,
      children: [
        { role: 'cell', name: `Bean ${index}`, ref: `e${4 * index + 1}` },
        {
          role: 'cell',
          ref: `e${4 * index + 2}`,
          children: [{ role: 'button', name: 'Buy', ref: `e${4 * index + 3}` }],
        },
      ],
    }));

  test('keeps the first and the last of a run, the row of the goal, the focus, and new elements', () => {
    const all = rows(500);
    all[250] = { ...all[250]!, active: true };
    all[300] = { ...all[300]!, since: 'new' };
    const text = pageText(aSnapshot([{ role: 'table', ref: 't1', children: all }, aButton('Next page')]), 3000, [
      'bean 471',
    ]);
    for (const index of [0, 1, 2, 250, 300, 471, 499]) expect(text).toContain(`Bean ${index} 5 EUR`);
    expect(text).toContain('button "Next page" [ref=e100001]');
    expect(text).toMatch(/- \(\d+ more rows? left out\)/);
  });

  test('counts the omitted lines exactly', () => {
    const text = pageText(aSnapshot([{ role: 'table', children: rows(500) }]), 3000);
    const left = [...text.matchAll(/\((\d+) more rows? left out\)/g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
    expect(left + [...text.matchAll(/- row /g)].length).toBe(500);
  });

  test('renders a row as one line, with the refs and texts of its cells', () => {
    expect(pageText(aSnapshot([{ role: 'table', children: rows(1) }]), 3000)).toContain(
      '  - row "Bean 0 5 EUR Buy" [ref=e0]: "Bean 0" [ref=e1] | button "Buy" [ref=e3]',
    );
  });

  test('keeps controls before the outline, and counts those that are left out', () => {
    const parts = Array.from({ length: 60 }, (_, index): PageNode => ({
      role: 'region',
      name: `Part ${index} of a page with many parts`,
      ref: `e${index}`,
    }));
    const tools = Array.from({ length: 30 }, (_, index) => ({ ...aButton(`Tool ${index}`), ref: `e${500 + index}` }));
    const page = aSnapshot([...parts, { role: 'toolbar', ref: 'e400', children: tools }]);
    const text = pageText(page, 1100);
    for (const index of [0, 1, 2, 29]) expect(text).toContain(`button "Tool ${index}"`);
    const shown = [...text.matchAll(/button "Tool/g)].length;
    expect(text).toContain(
      `${shown === 29 ? '1 control is' : `${30 - shown} controls are`} left out: find it by words`,
    );
  });

  test('names a row by its first cell where its cells have lines of their own', () => {
    const action = { role: 'cell', ref: 'e4', children: [{ role: 'group', ref: 'e5', children: [aButton('Buy')] }] };
    const row: PageNode = { role: 'row', ref: 'e2', children: [{ role: 'cell', ref: 'e3', name: 'Bean 7' }, action] };
    expect(pageText(aSnapshot([{ role: 'table', children: [row] }]), 3000)).toContain('- row "Bean 7" [ref=e2]');
  });

  test('explains how to reach omitted rows', () => {
    const leftOut = { count: 4960, selector: 'css=html > body > table > tbody > tr' };
    const page = aSnapshot([{ role: 'table', children: [...rows(2), { role: 'left-out', omitted: leftOut }] }]);
    expect(pageText(page, 3000)).toContain('  - (4960 more not shown; tr:has-text("…") finds one)');
    // Tools take no selectors.
    const forTools = pageText(page, 3000, [], 'find');
    expect(forTools).toContain('  - (4960 more not shown; find shows those with your words)');
    expect(forTools).not.toContain('has-text');
  });
});

test('goal words are what an instruction names, with quotations as a whole', () => {
  expect(goalWords(['Click the "Add to basket" button of Bean 4711', 'wait for 5.00 EUR'])).toEqual([
    'add to basket',
    'add',
    'basket',
    'bean',
    '4711',
    '5.00',
    'eur',
  ]);
});

describe('marks of change', () => {
  const item = (name: string): PageNode => ({ role: 'listitem', text: name });
  const list = (...names: string[]): PageNode[] => [{ role: 'list', children: names.map(item) }];
  const marks = (before: PageNode[], now: PageNode[]) =>
    [...walkNodes(markChanges(before, now))].flatMap(({ node }) =>
      node.since ? [`${node.role} ${node.text ?? node.name ?? ''} ${node.since}`] : [],
    );

  test('nothing is marked on a page that stayed, whatever its refs are now', () => {
    expect(marks([{ ...aButton('Buy'), ref: 'e1' }, ...list('a', 'b')], [aButton('Buy'), ...list('a', 'b')])).toEqual(
      [],
    );
  });

  test('a new element is marked new, one with other text changed; of a new part only the root is marked', () => {
    const before = [{ role: 'textbox', name: 'Coupon' }, aButton('Buy'), ...list('a', 'b')];
    const dialog: PageNode = { role: 'dialog', name: 'Sure?', children: [{ role: 'button', name: 'Yes' }] };
    const now = [{ role: 'textbox', name: 'Coupon', text: 'SAVE' }, aButton('Buy'), ...list('a', 'b'), dialog];
    expect(marks(before, now)).toEqual(['textbox SAVE changed', 'dialog Sure? new']);
  });

  test('another page has no marks', () => {
    expect(marks(list('a', 'b'), [aButton('x'), { role: 'heading', name: 'y' }])).toEqual([]);
  });
});

test('marks among the rows become anchors and notes, and leave no trace in names and texts', () => {
  const mark = (index: number): string => `\uE000n:${index}\uE001`.replace('n', 'ab-1');
  const anchor = { selector: 'css=tr >> internal:has-text="Bean"s', nth: 0, of: 1 };
  const marks = new Map([
    ['ab-1:0', { kind: 'row' as const, anchor, isNew: true }],
    ['ab-1:1', { kind: 'left' as const, omitted: { count: 7, selector: 'css=tr' } }],
    ['ab-1:2', { kind: 'end' as const }],
  ]);
  const nodes: (PageNode | string)[] = [
    {
      role: 'cell',
      name: `A ${mark(0)} B`,
      children: [mark(0), { role: 'row', name: 'Bean' }, `${mark(1)} ${mark(2)}`, { role: 'row', name: 'Sum' }, 'text'],
    },
  ];
  expect(applyPruneMarks(nodes, marks)).toEqual([
    {
      role: 'cell',
      name: 'A B',
      children: [
        { role: 'row', name: 'Bean', anchor, since: 'new' },
        { role: 'left-out', omitted: { count: 7, selector: 'css=tr' } },
        { role: 'row', name: 'Sum' },
        'text',
      ],
    },
  ]);
});
