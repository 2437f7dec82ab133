/** Controls that act, in disguises, are planned on real pages: each call asks a person first. */
import { walkNodes, type PageNode, type PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import { seededRandom } from '../../../../bench/chaos/random';
import { openBrowserStage, type BrowserStage } from '../../../support/browser-harness';
import type { StagedSession } from '../../../support/browser-session';
import type { Variant } from '../../../support/deeds/variant';
import { variants } from '../../../support/deeds/variants';
import { aPlanContext, plan } from '../../../support/planning';

const SEED = 33;
const COUNT = 330;
const PER_PAGE = 33;

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(() => stage.stop());

/** Functions that handlers of the variants call: one of them sends. */
const SCRIPT = `<script>function doIt() { fetch('/x', { method: 'PUT' }) } function x() {} function go() {}</script>`;

let pages = 0;
async function show(html: string): Promise<PageSnapshot> {
  await session.open(stage.page(`/deeds-${(pages += 1)}`, `<!doctype html>${SCRIPT}<h1>Page</h1>${html}`));
  return await session.look();
}

function refOf(region: PageNode, roles: string): string {
  const [wanted = '', which = '0'] = roles.split(':');
  const found = [...walkNodes(region.children ?? [])]
    .map(({ node }) => node)
    .filter((node) => node.ref !== undefined && wanted.split(',').includes(node.role));
  const node = which === 'last' ? found.at(-1) : found[Number(which)];
  if (node === undefined) throw new Error(`Expected a ${roles} in ${JSON.stringify(region)}`);
  return node.ref!;
}

/** The call of a variant, planned on the page that has it. */
async function planned(look: PageSnapshot, { tool, args, at, to }: Variant, name: string) {
  const region = [...walkNodes(look.nodes)].find(({ node }) => node.role === 'region' && node.name === name)?.node;
  if (region === undefined) throw new Error(`There is no region ${name}`);
  const { origin } = new URL(look.url);
  const given = {
    ...(JSON.parse(JSON.stringify(args).replaceAll('${site}', origin)) as Record<string, unknown>),
    ...(at === undefined ? {} : { ref: refOf(region, at) }),
    ...(to === undefined ? {} : { to_ref: refOf(region, to) }),
  };
  return await plan(aPlanContext({ look }), tool, given);
}

test(`each of ${COUNT} controls that act in a disguise asks, and says why`, async () => {
  const all = variants(seededRandom(SEED), COUNT);
  const through: string[] = [];
  for (let first = 0; first < all.length; first += PER_PAGE) {
    const some = all.slice(first, first + PER_PAGE);
    const look = await show(
      some.map(({ html }, index) => `<section aria-label="v${first + index}">${html}</section>`).join('\n'),
    );
    for (const [index, variant] of some.entries()) {
      const name = `v${first + index}`;
      const { classification, card } = await planned(look, variant, name).catch((error: Error) => ({
        classification: error.message,
        card: undefined,
      }));
      const why = card?.type === 'info' ? card.prompt : (card?.title ?? '');
      if (classification !== 'destructive' || !/\. .+\.$|\? .+\.$/s.test(why))
        through.push(
          `${name} ${variant.kind}: ${variant.html} ${JSON.stringify(variant.args)} -> ${classification}: ${why}`,
        );
    }
  }
  expect(through).toEqual([]);
});

test('a press or a drag by points asks on a page with a canvas, and says why', async () => {
  const byPoints = [
    { action: 'left_click', coordinate: [40, 40] },
    { action: 'double_click', coordinate: [40, 40] },
    { action: 'left_click_drag', start_coordinate: [10, 10], coordinate: [40, 40] },
  ];
  const classesOn = async (html: string) => {
    const look = await show(html);
    return await Promise.all(byPoints.map(async (args) => await plan(aPlanContext({ look }), 'computer', args)));
  };
  for (const html of [
    '<canvas width="100" height="100"></canvas>',
    '<p>Draw</p><div><canvas width="100" height="100" aria-label="Board"></canvas></div>',
  ]) {
    for (const { classification, card } of await classesOn(html)) {
      expect(classification).toBe('destructive');
      expect(card).toMatchObject({ prompt: expect.stringContaining('nothing says what is drawn at the point') });
    }
  }
  for (const { classification } of await classesOn('<p>Words</p>')) expect(classification).toBe('write');
});
