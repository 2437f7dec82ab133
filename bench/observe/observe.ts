import { takeSnapshot } from '../../activities/browser/pages/snapshots/take-snapshot';
import type { Attachment } from '../../activities/browser/attach/attachment';
import { createSessionValues } from '../../activities/secrets/session-values';
import { goalWords } from '../../rules/page-text/goal-words';
import { pageText } from '../../rules/page-text/page-text';
import { DEFAULT_OBSERVATION } from '../../contracts/browsers/observation';
import { startShop, startSite } from '../../examples/shop/serve';
import { locateChromium } from '../../cli/stack/programs/locate-chromium';
import { systemProbes } from '../../cli/stack/programs/probes';
import { UsageError } from '../chaos/options';
import { median, ms } from '../harness/statistics';
import { attachToChrome } from './chrome';
import { startMcpServer } from './mcp-server';
import { GENERATED, SHOP, generatedPage, type BenchPage } from './pages';

const TIMES = 5;
const RAW_LIMIT_MS = 60_000;
const MARKDOWN = '| page | HTML | raw snapshot | @playwright/mcp | ours (tokens) | raw | ours | needed |';

interface Measured {
  characters: number;
  time: number;
}

/**
 * Measures size and time of page snapshots for the model, compared with the raw snapshot, the HTML and the snapshot
 * tool of Playwright's MCP server. False when a page is over the budget or lacks what its task needs.
 */
export async function measureObservations(): Promise<boolean> {
  const chromiumPath = locateChromium(systemProbes(process.env));
  if (chromiumPath === undefined) throw new UsageError('There is no Chromium here: install one, or set CHROMIUM_PATH.');
  const [shop, site] = await Promise.all([startShop({}), startSite(serveGenerated)]);
  const chrome = await attachToChrome(chromiumPath);
  try {
    const pages = [
      ...SHOP.map((page) => ({ page, url: shop.url + page.path })),
      ...GENERATED.map((page) => ({ page, url: site.url + page.path })),
    ];
    console.log(`\n${MARKDOWN}\n|${' --- |'.repeat(8)}`);
    let isGood = true;
    for (const { page, url } of pages) {
      const { row, isWithin } = await measurePage(chrome.attachment, chromiumPath, page, url);
      console.log(row);
      isGood &&= isWithin;
    }
    return isGood;
  } finally {
    await chrome.stop();
    await Promise.all([shop.close(), site.close()]);
  }
}

async function measurePage(
  attachment: Attachment,
  chromiumPath: string,
  { name, goal, needed }: BenchPage,
  url: string,
): Promise<{ row: string; isWithin: boolean }> {
  const { page } = attachment;
  await page.goto(url);
  const words = goalWords([goal]);
  let text = '';
  const observe = async (): Promise<string> => {
    const snapshot = await takeSnapshot(attachment, createSessionValues([], {}), { words });
    return (text = pageText(snapshot, DEFAULT_OBSERVATION.maxCharacters, words));
  };
  const ours = await measure(observe, TIMES);
  const html = (await page.content()).length;
  const raw = await measure(
    () => page.ariaSnapshot({ mode: 'ai', timeout: RAW_LIMIT_MS }),
    name.includes('000') ? 1 : TIMES,
  );
  const theirs = await measureMcp(chromiumPath, url);
  const isNeededThere = needed.test(text);
  const isWithin = isNeededThere && text.length <= DEFAULT_OBSERVATION.maxCharacters;
  const size = (measured: Measured | undefined): string =>
    measured === undefined ? 'none in time' : `${measured.characters}`;
  const time = (measured: Measured | undefined): string =>
    measured === undefined ? `> ${ms(RAW_LIMIT_MS)}` : ms(measured.time);
  const cells = [
    name,
    html,
    size(raw),
    size(theirs),
    `${text.length} (${Math.ceil(text.length / 4)})`,
    time(raw),
    time(ours),
    isNeededThere ? 'there' : 'MISSING',
  ];
  return { row: `| ${cells.join(' | ')} |`, isWithin };
}

/** Starts a server for each page, because one that hangs on a page hangs on the next. */
async function measureMcp(chromiumPath: string, url: string): Promise<Measured | undefined> {
  const mcp = await startMcpServer(chromiumPath);
  try {
    // The answer includes a snapshot.
    await mcp.call('browser_navigate', { url });
    return await measure(() => mcp.call('browser_snapshot', {}), 1);
  } catch {
    return undefined;
  } finally {
    await mcp.stop();
  }
}

/** Resolves to undefined when the server does not answer in time. */
async function measure(work: () => Promise<string>, times: number): Promise<Measured | undefined> {
  try {
    const taken: number[] = [];
    let characters = 0;
    for (let index = 0; index < times; index += 1) {
      const startedAt = performance.now();
      characters = (await work()).length;
      taken.push(performance.now() - startedAt);
    }
    return { characters, time: median(taken) };
  } catch {
    return undefined;
  }
}

function serveGenerated({ url }: Request): Response {
  const markup = generatedPage(new URL(url).pathname);
  if (markup === undefined) return new Response('', { status: 404 });
  return new Response(`<!doctype html><title>Bench</title>${markup}`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}
