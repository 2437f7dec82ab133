// cspell:ignore tdur
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { StreamEventType } from '../contracts/events/stream-event';
import type { NewRecord } from '../contracts/events/log';
import { SessionStatus } from '../contracts/sessions/session';
import { parseStart } from '../contracts/sessions/start-request';
import { connect } from '../store/database/connect';
import { openHarness, type Harness } from './harness/harness';

const SESSIONS = 10_000;
const EVENTS = 5000;
/** What the page promises. */
const MOST_SCRIPT_BYTES = 150_000;
const MOST_FIRST_CONTENT_MS = 1000;

const LONG_TASK_US = 50_000;

const OPENINGS = 5;
const SCROLLS = 150;
const SCROLL_PX = 900;
const BATCH = 500;
const WORDS = 'the page shows a table of orders, so the next thing is the button beside the newest of them';

interface Scrolled {
  what: string;
  firstContentMs: number;
  /** Tasks of more than 50 ms of the page's thread while the view was opened, and while it was scrolled. */
  opening: number[];
  scrolling: number[];
}

/** Measures the web page: script of the first view, first content, and long tasks of a long list and of a long session. */
export async function measureWebPage(): Promise<boolean> {
  const script = scriptBytes();
  const harness = await openHarness();
  try {
    await fillList(harness);
    const sessionId = await longSession(harness);
    const browser = await chromium.launch({ executablePath: harness.chromium, args: ['--no-sandbox'] });
    const measured: Scrolled[] = [];
    try {
      for (const [what, path, prepare] of [
        [`list of ${SESSIONS} sessions`, '/', nothing],
        [`session of ${EVENTS} events`, `/sessions/${sessionId}`, openEveryLine],
      ] as const)
        measured.push(await scroll(await browser.newPage(), what, `${harness.api}${path}`, prepare));
    } finally {
      await browser.close();
    }
    console.log(`script of the first view: ${script} bytes (brotli); load average ${loadavg()[0]!.toFixed(1)}`);
    for (const { what, firstContentMs, opening, scrolling } of measured)
      console.log(
        `${what}: first content ${Math.round(firstContentMs)} ms; long tasks: opening ${listed(opening)}, scrolling ${listed(scrolling)}`,
      );
    return (
      script < MOST_SCRIPT_BYTES &&
      measured.every(
        ({ firstContentMs, scrolling }) => firstContentMs < MOST_FIRST_CONTENT_MS && scrolling.length === 0,
      )
    );
  } finally {
    await harness.stop();
  }
}

async function nothing(): Promise<void> {}

function listed(tasks: readonly number[]): string {
  return tasks.length === 0 ? 'none' : tasks.map((ms) => `${Math.round(ms)} ms`).join(', ');
}

/** What a browser reads before it shows the list; views that are opened later come later. */
function scriptBytes(): number {
  const folder = join(__dirname, '..', 'web');
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const names = readdirSync(join(folder, 'page')).filter((name) => name.endsWith('.js') && html.includes(name));
  return names.reduce((sum, name) => sum + readFileSync(join(folder, 'page', `${name}.br`)).length, 0);
}

async function fillList({ sessions, stack }: Harness): Promise<void> {
  const { sessionId } = await sessions.start({ steps: ['Open about:blank'] });
  const sql = connect(stack.addresses.databaseUrl);
  await sql`
    insert into sessions (session_id, workflow_id, status, closed, executor_session_id, stream_id, ai_connection_id, plan, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'COMPLETED', true, 'x', 'x', 'x',
      jsonb_set(plan, '{name}', to_jsonb('Number ' || n)), now() - n * interval '1 minute'
    from sessions, generate_series(1, ${SESSIONS}::int) n where session_id = ${sessionId}`;
  await sql.end();
}

/** An ended session whose only step has all the events. */
async function longSession({ store }: Harness): Promise<string> {
  const parsed = parseStart({ steps: ['Think'] });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  const sessionId = randomUUID();
  await store.sessions.create({ sessionId, workflowId: sessionId, plan: parsed.plan });
  for (let from = 1; from <= EVENTS; from += BATCH)
    await store.log.append(
      sessionId,
      Array.from({ length: BATCH }, (_, index) => thought(from + index)),
    );
  await store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
  const end: NewRecord = {
    ...thought(EVENTS + 1),
    owner: 'step-processor',
    type: StreamEventType.WORKFLOW_COMPLETED,
    data: {},
  };
  await store.log.append(sessionId, [end], { patch: { status: SessionStatus.COMPLETED, closed: true } });
  return sessionId;
}

export function thought(number: number): NewRecord {
  return {
    eventId: `thought/${number}`,
    owner: 'task-loop',
    type: StreamEventType.AI_REASONING,
    stepIndex: 0,
    at: new Date().toISOString(),
    data: { reasoning: { thought: `Number ${number}: ${WORDS}`, confidence: 0.9, reasoningType: 'plan' } },
  };
}

/** Opens the step, and all that is left out at first. */
async function openEveryLine(page: Page): Promise<void> {
  await page.locator('.step-text').click();
  await page.getByLabel('Every detail').check();
  await page.getByRole('button', { name: /^Show \d+ earlier lines$/ }).click();
  await page.getByText(`Number 1: ${WORDS}`).waitFor({ state: 'attached' });
}

async function scroll(
  page: Page,
  what: string,
  url: string,
  prepare: (page: Page) => Promise<void>,
): Promise<Scrolled> {
  const browser = page.context().browser()!;
  const traced = async (work: () => Promise<unknown>): Promise<number[]> => {
    await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
    await work();
    return longTasks(JSON.parse((await browser.stopTracing()).toString()) as Trace);
  };
  const opening = await traced(async () => {
    await page.goto(url);
    await page.getByRole('main').getByRole('heading').first().waitFor({ state: 'attached' });
    await prepare(page);
  });
  const firstContentMs = await leastFirstContent(browser, url);
  const scrolling = await traced(async () => {
    await page.mouse.move(600, 400);
    for (let times = 0; times < SCROLLS; times += 1) await page.mouse.wheel(0, SCROLL_PX);
    await page.keyboard.press('End');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    await page.keyboard.press('Home');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  });
  return { what, firstContentMs, opening, scrolling };
}

/** Of a browser that runs already, without a cache: the least of a few, because others use the machine as well. */
async function leastFirstContent(browser: Browser, url: string): Promise<number> {
  const found: number[] = [];
  for (let times = 0; times < OPENINGS; times += 1) {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByRole('main').getByRole('heading').first().waitFor({ state: 'attached' });
    found.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN));
    await page.close();
  }
  return Math.min(...found);
}

interface Trace {
  traceEvents: { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }[];
}

/** In ms of processor time, which other processes on the machine lengthen little; a PerformanceObserver counts their time too. */
function longTasks({ traceEvents }: Trace): number[] {
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  return traceEvents.flatMap(({ name, pid, tid, tdur = 0 }) =>
    name.endsWith('::RunTask') &&
    tdur > LONG_TASK_US &&
    threads.some((thread) => thread.pid === pid && thread.tid === tid)
      ? [tdur / 1000]
      : [],
  );
}
