/**
 * Acts of the page suites that delete, pay, order and send nothing, with what they counted as (`was`) while their names alone
 * decided. The fixture stays as it was recorded then.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { walkNodes, type PageNode, type PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import { openBrowserStage, type BrowserStage } from '../../../support/browser-harness';
import type { StagedSession } from '../../../support/browser-session';
import { harmlessPages } from '../../../support/deeds/harmless-pages';
import { aPlanContext, plan } from '../../../support/planning';

/** An act on the nth element of this role and name. */
interface Act {
  path: string;
  role: string;
  name: string;
  nth: number;
  tool: string;
  args: Record<string, unknown>;
  was: string;
}

const FIXTURE = join(__dirname, 'harmless-acts.json');
const MOST_MORE = 6;

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
  await session.open('/login');
  const page = session.page();
  await page.fill('[name=username]', 'ada');
  await page.fill('[name=password]', 'lovelace');
  await Promise.all([page.waitForURL((url) => url.pathname !== '/login'), page.press('[name=password]', 'Enter')]);
  await session.open('/products/trail-shoe');
  await Promise.all([page.waitForURL(/\/cart/), page.click('text=Add to cart')]);
});
afterAll(() => stage.stop());

async function look(path: string, html: string | undefined): Promise<PageSnapshot> {
  await session.open(html === undefined ? path : stage.page(path, html));
  return await session.look();
}

function elements({ nodes }: PageSnapshot): PageNode[] {
  return [...walkNodes(nodes)].map(({ node }) => node).filter(({ ref }) => ref !== undefined);
}

const labelOf = ({ name, text, placeholder }: PageNode): string => name || text || placeholder || '';

async function verdict(page: PageSnapshot, { tool, args }: Pick<Act, 'tool' | 'args'>, ref: string): Promise<string> {
  return (await plan(aPlanContext({ look: page }), tool, { ...args, ref })).classification;
}

const asks = (classification: string): boolean => classification === 'destructive' || classification === 'external';

test('of 300 harmless acts at most 2 % more ask than did by names alone', async () => {
  const acts = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Act[];
  const more: string[] = [];
  for (const { path, html } of harmlessPages()) {
    const own = acts.filter((act) => act.path === path);
    if (own.length === 0) continue;
    const page = await look(path, html);
    for (const act of own) {
      const node = elements(page).filter((each) => each.role === act.role && labelOf(each) === act.name)[act.nth];
      const now = node === undefined ? 'gone' : await verdict(page, act, node.ref!);
      if ((asks(now) && !asks(act.was)) || now === 'gone') more.push(`${JSON.stringify(act)} -> ${now}`);
    }
  }
  expect(acts.length).toBeGreaterThanOrEqual(300);
  expect(more.slice(MOST_MORE)).toEqual([]);
});
