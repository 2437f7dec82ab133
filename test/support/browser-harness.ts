import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { pino } from 'pino';
import { createBrowserActivities } from '../../activities/browser-worker';
import { createAttachments, type Attachments } from '../../activities/browser/attach/attachments';
import type { BrowserActivities } from '../../activities/signatures/browser-activities';
import { startShop, type RunningShop } from '../../examples/shop/serve';
import { readEgressFile, writeEgressFile } from '../../worker/keeper/egress/egress-file';
import { findSandbox } from '../../worker/keeper/chrome/sandbox';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { createBrowsers, type Browsers } from '../../worker/keeper/browsers/browsers';
import { startHeartbeat } from '../../worker/keeper/host/heartbeat';
import { createKeeperApp } from '../../worker/keeper/server';
import { isAlive, startTicksOf } from '../../runtime/process-identity';
import type { BrowserProgram } from '../../runtime/browser-program';
import type { Store } from '../../store/store';
import { LOCAL_SITES } from './open-network';
import { eventually } from './eventually';
import { StagedSession, type SessionFacts } from './browser-session';
import { startTestStack } from './stack';

const HOST_ID = 'stage';
/** A request for this path of the site is taken, and never answered. */
const NEVER = '/never';
/** A request for this one is answered after as many milliseconds as its query names. */
const LATE = '/late';

/** A script that blocks its page for so long, as a loop would, without taking a whole processor. */
export function blocking(ms: number): string {
  return `const request = new XMLHttpRequest(); request.open('GET', '${LATE}?${ms}', false); request.send()`;
}

/** One browser worker: attachments and activities of its own, in this process. */
export interface StagedWorker {
  attachments: Attachments;
  activities: BrowserActivities;
}

/** All that a browser activity reaches, real: Postgres, a keeper with its Chromes, a shop, and workers. */
export interface BrowserStage {
  store: Store;
  /** SUREFOOT_HOME of the host. */
  home: string;
  databaseUrl: string;
  shop: RunningShop;
  /** The environment that `{"env": NAME}` variables are read from. */
  env: NodeJS.ProcessEnv;
  /** The keeper that runs now. */
  browsers(): Browsers;
  /** The first worker, or another one by its name. */
  worker(workerId?: string): StagedWorker;
  newSession(facts?: SessionFacts): Promise<StagedSession>;
  /** Serves this markup and resolves to its address. */
  page(path: string, html: string): string;
  /** Ends the keeper as a crash would, its Chromes running on, and starts another on the same folder. */
  restartKeeper(meanwhile?: () => void): Promise<void>;
  /** The process that connects the Chromes. */
  egressPid(): number;
  /** Kills the process that connects the Chromes, and resolves when it is gone; the keeper starts another in a moment. */
  killEgress(): Promise<void>;
  /** Kills it too, and lets the keeper start no other before the work is done. */
  withoutEgress<Value>(work: () => Promise<Value>): Promise<Value>;
  stop(): Promise<void>;
}

interface StageOptions {
  uploads?: string;
  /** Finds the program of a session's browser that is not Chromium. */
  programOf?: () => BrowserProgram;
}

export async function openBrowserStage({ programOf, ...more }: StageOptions = {}): Promise<BrowserStage> {
  const stack = await startTestStack({ parts: ['postgres', 'chromium'] });
  const store = await stack.store();
  const shop = await startShop({ searchDelayMs: 50 });
  const site = await startSite();
  const env: NodeJS.ProcessEnv = {};
  const workers = new Map<string, StagedWorker>();
  const root = join(stack.home, 'browsers', HOST_ID);
  const startKeeper = () => keeperOver(root, stack.chromiumPath, store, programOf);
  let keeper = await startKeeper();
  // The keeper beats in this process: one that is too busy for that would look gone to its workers, which are here too.
  const attentive: Store = {
    ...store,
    hosts: {
      ...store.hosts,
      async get(hostId) {
        const host = await store.hosts.get(hostId);
        return host && { ...host, silentForMs: 0 };
      },
    },
  };

  const stage: BrowserStage = {
    store,
    home: stack.home,
    databaseUrl: stack.databaseUrl,
    shop,
    env,
    browsers: () => keeper.browsers,
    page: site.page,
    worker(workerId = 'first') {
      const known = workers.get(workerId);
      if (known !== undefined) return known;
      const attachments = createAttachments(attentive, { hostId: HOST_ID, workerId });
      const worker = {
        attachments,
        activities: createBrowserActivities({ store: attentive, attachments, env, ...more }),
      };
      workers.set(workerId, worker);
      return worker;
    },
    newSession: (facts) => StagedSession.create(stage, facts),
    async restartKeeper(meanwhile = () => {}) {
      await keeper.stop({ endBrowsers: false });
      meanwhile();
      keeper = await startKeeper();
    },
    egressPid: () => readEgressFile(root)!.pid,
    async killEgress() {
      const egress = readEgressFile(root)!;
      process.kill(egress.pid, 'SIGKILL');
      await eventually('the egress process is gone', () => !isAlive(egress) && !hasThreads(egress.pid));
    },
    async withoutEgress(work) {
      const egress = readEgressFile(root)!;
      const port = Number(new URL(await deadUrl()).port);
      // One that runs, by its file, and answers nothing.
      writeEgressFile(root, { ...egress, pid: process.pid, startTicks: startTicksOf(process.pid)!, port });
      process.kill(egress.pid, 'SIGKILL');
      await eventually('the egress process is gone', () => !isAlive(egress) && !hasThreads(egress.pid));
      try {
        return await work();
      } finally {
        // The keeper finds the one that is gone, and starts another.
        writeEgressFile(root, egress);
      }
    },
    async stop() {
      await Promise.all([...workers.values()].map(({ attachments }) => attachments.closeAll()));
      await keeper.stop({ endBrowsers: true });
      await Promise.all([shop.close(), site.close()]);
      await stack.stop();
    },
  };
  return stage;
}

/** Whether threads of a killed process still end: until the last one has, its sockets are open, and take what is sent. */
function hasThreads(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

async function keeperOver(root: string, chromiumPath: string, store: Store, programOf: StageOptions['programOf']) {
  const logger = pino({ enabled: false });
  const usersRoot = readSetting(SETTINGS.usersFolder, process.env);
  const sandbox = await findSandbox({ chromiumPath, home: root, usersRoot, hostId: HOST_ID, wanted: 'prefer' });
  const browsers = await createBrowsers({
    root,
    chromiumPath,
    ...(programOf && { programOf }),
    sandbox,
    poolSize: 0,
    network: LOCAL_SITES,
    logger,
  });
  const token = randomBytes(16).toString('hex');
  const server = createAdaptorServer({ fetch: createKeeperApp({ browsers, token }).fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const keeperUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const heartbeat = startHeartbeat(
    store.hosts,
    () => ({ hostId: HOST_ID, keeperUrl, token, capacity: 10, browsers: browsers.list().length }),
    logger,
  );
  await heartbeat.started;
  return {
    browsers,
    async stop(how: { endBrowsers: boolean }) {
      await heartbeat.stop();
      server.close();
      await browsers.stop(how);
    },
  };
}

/** For pages with a difficulty that the shop does not have. It takes whatever is sent to it. */
async function startSite() {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site');
    if (pathname === NEVER) return;
    if (pathname === LATE) {
      setTimeout(() => response.end(), Number(search.slice(1)));
      return;
    }
    const markup = pages.get(pathname);
    response.writeHead(markup === undefined && request.method === 'GET' ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
    });
    response.end(markup);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    page(path: string, html: string): string {
      pages.set(path, `<!doctype html><title>${path}</title>${html}`);
      return url + path;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An address on this machine where nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/${randomUUID()}`;
}
