import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page as BrowserPage } from 'playwright';
import { followStep, stillStage } from '../../../../../bench/harness/follow-step';
import type { AIGeneratedCommand } from '../../../../../contracts/commands/commands';
import type { PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';
import { everyNth } from '../../../../support/long-run';
import { SENTENCES } from './sentences';

interface Sight {
  snapshot: PageSnapshot;
  /** The id of the element of each ref. */
  ids: ReadonlyMap<string, string>;
}

const MOST_ITERATIONS = 30;
let browser: Browser;
const sights = new Map<string, Promise<Sight>>();

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});
afterAll(() => browser.close());

/** The snapshot of a page, taken once for all its sentences. */
function sightOf(page: string): Promise<Sight> {
  const sight = sights.get(page) ?? takeSight(page);
  sights.set(page, sight);
  return sight;
}

async function takeSight(name: string): Promise<Sight> {
  const tab = await browser.newPage();
  await tab.setContent(readFileSync(join(__dirname, 'pages', `${name}.html`), 'utf8'));
  const nodes = (await tab.ariaSnapshotJSON({ mode: 'ai' })) as PageSnapshot['nodes'];
  const refs = [...JSON.stringify(nodes).matchAll(/"ref":"(\w+)"/g)].map((match) => match[1]!);
  const ids = new Map<string, string>();
  for (const ref of refs) ids.set(ref, await idOf(tab, ref));
  return {
    snapshot: { snapshotId: name, url: `https://${name}.test/`, title: await tab.title(), tabs: [], nodes },
    ids,
  };
}

function idOf(tab: BrowserPage, ref: string): Promise<string> {
  return tab.locator(`aria-ref=${ref}`).evaluate((element) => element.closest('[id]')?.id ?? element.localName);
}

/** What a step comes to on a page that nothing changes: its commands, each of which is done. */
async function comesTo({ snapshot, ids }: Sight, instruction: string): Promise<string> {
  const { decision, isDone, pastIterations } = await followStep(instruction, MOST_ITERATIONS, stillStage(snapshot));
  const deeds = pastIterations.filter(({ context }) => context?.['waiting'] === undefined);
  const said = deeds.flatMap(({ commands }) => commands.map((command) => lineOf(command, ids)));
  return brief(isDone ? said : [...said, decision === undefined ? 'endless' : ending(decision.message)]);
}

const VERBS: Record<string, string> = {
  CLICK_ELEMENT: 'click',
  INPUT_TEXT: 'type',
  PRESS_KEY: 'press',
  SELECT_OPTION: 'select',
  SAVE_VARIABLE: 'save',
  GO_FORWARD: 'forward',
  UPLOAD_FILE: 'upload',
};

function lineOf({ action, parameters }: AIGeneratedCommand, ids: ReadonlyMap<string, string>): string {
  const { selector, checked, to, toSelector, ...rest } = parameters;
  const id = (ref: string | undefined): string => (ref === undefined ? '' : `#${ids.get(ref.replace('ref=', ''))}`);
  const verb = VERBS[action] ?? action.toLowerCase();
  if (action === 'SET_CHECKED') return `${checked ? 'check' : 'uncheck'} ${id(selector)}`;
  if (action === 'EXPECT') {
    const { roles, text, state, absent } = parameters;
    return ['expect', absent && 'no', id(selector), roles?.[0], text, state].filter(Boolean).join(' ');
  }
  if (action === 'SCROLL') return ['scroll', to === 'element' ? id(selector) : to].join(' ');
  return [verb, id(selector), id(toSelector), ...Object.values(rest)]
    .filter((part, at) => part !== '' || at > 2)
    .join(' ');
}

/** Several equal commands in a row as one. */
function brief(said: readonly string[]): string {
  return said
    .reduce<{ line: string; times: number }[]>((lines, line) => {
      const last = lines.at(-1);
      if (last?.line === line) last.times += 1;
      else lines.push({ line, times: 1 });
      return lines;
    }, [])
    .flatMap(({ line, times }) => (times > 3 ? [`${line} ×${times}`] : Array<string>(times).fill(line)))
    .join('; ');
}

function ending(message: string): string {
  if (/equally well/.test(message)) return 'asks';
  return /did not find|has no option/.test(message) ? 'absent' : 'refuses';
}

describe.each(Object.entries(SENTENCES))('on the page %s', (page, sentences) => {
  test.each(everyNth(2, sentences))('%s', async (said, expected) => {
    expect(await comesTo(await sightOf(page), said)).toBe(expected);
  });
});
