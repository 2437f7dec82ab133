import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { chromium, type Browser, type Page } from 'playwright';
import type { BrowserAccess } from '../../contracts/browsers/keeper';
import type { OperatorNetwork } from '../../contracts/browsers/network-policy';
import type { BrowserProgram } from '../../runtime/browser-program';
import { LOCAL_SITES } from '../support/open-network';
import { defaultSandbox, type ChromeSandbox } from '../../worker/keeper/chrome/sandbox';
import { createBrowsers, type Browsers } from '../../worker/keeper/browsers/browsers';

export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
export const silent = pino({ enabled: false });

const cleanups: (() => unknown)[] = [];

/** Runs after the test, last registered first. */
export function later(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export async function until<Value>(
  what: string,
  read: () => Value | Promise<Value>,
  deadlineMs = 40_000,
): Promise<Exclude<Value, false | null | undefined>> {
  const begun = Date.now();
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== null && value !== false) {
      return value as Exclude<Value, false | null | undefined>;
    }
    const waited = Date.now() - begun;
    if (waited > deadlineMs) throw new Error(`Expected within ${deadlineMs} ms: ${what}.`);
    // What takes long is asked for less often: asking costs the processes that are waited for.
    await delay(Math.min(200, 20 + waited / 5));
  }
}

export function aRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'surefoot-keeper-'));
  later(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));
  return root;
}

/** What is kept of browsers in their folder: all but where the egress process is. */
export function browserFilesIn(root: string): string[] {
  return readdirSync(root)
    .filter((name) => name !== 'egress.json')
    .toSorted();
}

interface KeeperOptions {
  poolSize?: number;
  chromiumPath?: string;
  /** Of sessions that are not in Chromium. */
  program?: BrowserProgram;
  capacity?: number;
  network?: OperatorNetwork;
  sandbox?: ChromeSandbox;
}

/** The registry of one keeper over the folder; at the end of the test its Chromes are ended. */
export async function keeperOver(
  root: string,
  {
    poolSize = 0,
    chromiumPath = CHROMIUM,
    program,
    capacity = 10,
    network = LOCAL_SITES,
    sandbox = defaultSandbox(),
  }: KeeperOptions = {},
): Promise<Browsers> {
  const browsers = await createBrowsers({
    root,
    chromiumPath,
    ...(program && { programOf: () => program }),
    sandbox,
    poolSize,
    capacityFor: () => capacity,
    network,
    logger: silent,
  });
  later(() => browsers.stop({ endBrowsers: true }));
  return browsers;
}

type RelayAccess = Pick<BrowserAccess, 'endpoint' | 'token'>;

/** What the relay asks of who connects to it. */
export function headersFor({ token }: RelayAccess): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A Playwright client as a worker uses it. */
export async function attach(access: RelayAccess): Promise<{ browser: Browser; page: Page }> {
  const headers = headersFor(access);
  const browser = await chromium.connectOverCDP(access.endpoint, { noDefaults: true, timeout: 10_000, headers });
  later(() => browser.close());
  const page = browser.contexts()[0]?.pages()[0];
  if (page === undefined) throw new Error('Expected an attached Chrome to have a page, found none.');
  return { browser, page };
}

const PAGES: Record<string, string> = {
  '/': `<title>Form</title><input id="name"><button onclick="count.textContent = Number(count.textContent) + 1">more</button>
    <p id="count">0</p>`,
  '/file': '<a href="/download" download>get it</a>',
};

interface Site {
  url: string;
  orders: () => number;
  answerSlow: () => void;
  letGo: () => void;
}

const LATE_MS = 6000;

/** A site of a few pages that counts the orders it was sent; `/slow` and `/go` answer when the test releases them, `/late` after seconds. */
export async function aSite(): Promise<Site> {
  let orders = 0;
  let answerSlow = () => {};
  const slow = new Promise<void>((resolve) => (answerSlow = resolve));
  let letGo = () => {};
  const go = new Promise<void>((resolve) => (letGo = resolve));
  const server = createServer((request, response) => {
    if (request.method === 'POST') orders += 1;
    if (request.url === '/slow') return void slow.then(() => response.end('at last'));
    if (request.url === '/late') return void setTimeout(() => response.end(), LATE_MS);
    if (request.url === '/go') return void go.then(() => response.end('go'));
    if (request.url === '/moved') return response.writeHead(303, { location: '/' }).end();
    if (request.url === '/download') {
      return response.writeHead(200, { 'content-disposition': 'attachment; filename="report.txt"' }).end('the report');
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[request.url ?? ''] ?? 'ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, orders: () => orders, answerSlow, letGo };
}

/** A worker in a process of its own, so that it can be killed or frozen: runs each line that it receives in the page. */
export interface WorkerProcess {
  process: ChildProcess;
  /** Sends a function body with `page` in scope and resolves with the next line: `done`, an error or what it prints. */
  run(body: string): Promise<string>;
}

const WORKER = `
  const { chromium } = require('playwright');
  const lines = require('node:readline').createInterface({ input: process.stdin });
  const AsyncFunction = (async () => {}).constructor;
  const { endpoint, headers } = JSON.parse(process.argv[1]);
  chromium.connectOverCDP(endpoint, { noDefaults: true, headers }).then((browser) => {
    const page = browser.contexts()[0].pages()[0];
    page.setDefaultTimeout(5000);
    lines.on('line', (line) => new AsyncFunction('page', JSON.parse(line))(page).then(
      () => console.log('done'), (error) => console.log(error.message.split('\\n')[0])));
    console.log('attached');
  });
`;

export async function aWorkerProcess(access: RelayAccess): Promise<WorkerProcess> {
  const where = JSON.stringify({ endpoint: access.endpoint, headers: headersFor(access) });
  const child = spawn(process.execPath, ['-e', WORKER, where], { stdio: ['pipe', 'pipe', 'inherit'] });
  later(() => child.kill('SIGKILL'));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => ((await answers.next()) as { value: string }).value;
  if ((await answer()) !== 'attached') throw new Error('Expected the worker process to attach.');
  return {
    process: child,
    async run(body) {
      child.stdin.write(`${JSON.stringify(body)}\n`);
      return answer();
    },
  };
}

/** What lies in a named pipe and was not read. */
export function unreadBytes(pipe: string): number {
  const FIONREAD = process.platform === 'linux' ? '0x541B' : '0x4004667F';
  const script = `open(my $pipe, "+<", $ARGV[0]); my $n = pack("L", 0); ioctl($pipe, ${FIONREAD}, $n); print unpack("L", $n)`;
  return Number(execFileSync('perl', ['-e', script, pipe], { encoding: 'utf8' }));
}

/** A keeper in a process of its own, so that it can be killed; it opens one browser and prints how to reach it. */
export async function aKeeperProcess(root: string, env: NodeJS.ProcessEnv = {}) {
  const script = `
    const { createBrowsers } = require('./dist/worker/keeper/browsers/browsers');
    const { pino } = require('pino');
    const options = { root: process.argv[1], chromiumPath: process.argv[2], poolSize: 0, network: JSON.parse(process.argv[3]), logger: pino({ enabled: false }) };
    createBrowsers(options).then(async (browsers) => {
      console.log(JSON.stringify(await browsers.open({ sessionId: 's', epoch: 1, headless: true })));
      require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
        const [name, request] = JSON.parse(line);
        console.log(JSON.stringify((await browsers[name](request)) ?? null));
      });
    });`;
  const child = spawn(process.execPath, ['-e', script, root, CHROMIUM, JSON.stringify(LOCAL_SITES)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  later(() => child.kill('SIGKILL'));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => JSON.parse(((await lines.next()) as { value: string }).value) as never;
  const access = (await line()) as BrowserAccess;
  /** Calls a method of its registry. */
  const call = async (name: keyof Browsers, request: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify([name, request])}\n`);
    return await line();
  };
  const evidence = async (): Promise<{ requests: { method: string; url: string; status?: number }[] }> =>
    (await call('evidence', { sessionId: 's' })) as never;
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  return { access, call, evidence, kill, gone };
}
