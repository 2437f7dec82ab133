import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { listenForInterrupt } from '../../cli/terminal/interrupt';
import { connectTemporal } from '../../service/connection/connect-temporal';
import { createSessions } from '../../service/sessions';
import { createApiClient, type ApiClient } from '../../client/http/api-client';
import type { SessionDetails, Sessions } from '../../service/port/port';
import type { LogRecord } from '../../contracts/events/log';
import { startStack, type Stack, type StackOptions } from '../../cli/stack/start-stack';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { removeUsersFolder } from '../../runtime/users-folder';
import { openStore, type Store } from '../../store/store';

/** A whole stack of the product for one measurement, with a client in this process. */
export interface Harness {
  home: string;
  stack: Stack;
  temporal: Client;
  sessions: Sessions;
  store: Store;
  shop: string;
  api: string;
  chromium: string;
  /** Runs the steps as one session and resolves to its log. */
  run(steps: string[], config?: Record<string, unknown>): Promise<{ sessionId: string; log: LogRecord[] }>;
  historyLength(sessionId: string): Promise<number>;
  /** Stops the stack; `inspect` runs before its folder is removed. */
  stop(inspect?: () => void): Promise<void>;
}

/** The password of the shop's user, that sessions sign in with. */
export const SHOP_PASSWORD = 'lovelace';
const ANSWERS_WITHIN_MS = 10_000;

/** A client of the stack's API that gives up soon: while processes are killed, requests are lost. */
export function restClient(api: string): ApiClient {
  return createApiClient(api, {
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }),
  });
}

/** What running and inspecting sessions needs. */
export type HarnessClient = Pick<Harness, 'home' | 'store' | 'sessions' | 'shop' | 'api' | 'temporal'>;

/** Waits until a session has ended; resolves to what REST shows of it then. */
export async function endedSession(
  sessions: Pick<Sessions, 'get' | 'follow'>,
  sessionId: string,
  limitMs: number,
): Promise<SessionDetails> {
  for await (const _ of sessions.follow(sessionId, 0, AbortSignal.timeout(limitMs))) void _;
  return await sessions.get(sessionId);
}

const SESSION_LIMIT_MS = 120_000;

/** At Ctrl-C the stack is stopped and the process ends, unless the caller brings a signal of its own. */
export async function openHarness(
  env: NodeJS.ProcessEnv = {},
  more: Pick<StackOptions, 'processes' | 'temporalSettings' | 'signal'> = {},
): Promise<Harness> {
  const home = mkdtempSync(join(tmpdir(), 'surefoot-bench-'));
  const interrupt = more.signal === undefined ? listenForInterrupt() : undefined;
  const say = (text: string): void => console.log(`  ${text}`);
  const stack = await startStack({
    home,
    ports: 'any',
    ...more,
    ...(interrupt === undefined ? {} : { signal: interrupt.signal }),
    // What is measured of a model is measured each time.
    env: { ...process.env, LOG_LEVEL: 'warn', SUREFOOT_REPLAY: 'off', ...env },
    reporter: { step: say, progress: say, warn: say },
  }).catch((error: unknown) => {
    interrupt?.end();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  });
  const { databaseUrl, temporalAddress, shop = '', api = '', chromium = '' } = stack.addresses;
  const store = await openStore({ databaseUrl, home });
  const temporal = connectTemporal({ address: temporalAddress, namespace: 'default' });
  const sessions = createSessions({ store, temporal, maxSessions: readSetting(SETTINGS.maxSessions, env) });
  let stopped: Promise<void> | undefined;
  async function stopAll(inspect?: () => void): Promise<void> {
    await store.close();
    await temporal.connection.close();
    await stack.stop();
    interrupt?.end();
    inspect?.();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    removeUsersFolder(home, readSetting(SETTINGS.usersFolder, process.env));
  }
  const stop = (inspect?: () => void): Promise<void> => (stopped ??= stopAll(inspect));
  void interrupt?.interrupted.then(async () => {
    console.error('Interrupted: the stack is stopped; nothing is measured.');
    await stop();
    process.exit(130);
  });
  return {
    home,
    stack,
    temporal,
    sessions,
    store,
    shop,
    api,
    chromium,
    async run(steps, config) {
      const { sessionId } = await sessions.start({ steps, ...(config === undefined ? {} : { config }) });
      const log: LogRecord[] = [];
      for await (const batch of sessions.follow(sessionId, 0, AbortSignal.timeout(SESSION_LIMIT_MS)))
        log.push(...batch);
      const { session, error } = await sessions.get(sessionId);
      if (session.status !== 'COMPLETED')
        throw new Error(`The measured session ended ${session.status}: ${error?.message}`);
      return { sessionId, log };
    },
    async historyLength(sessionId) {
      return (await temporal.workflow.getHandle(sessionId).describe()).historyLength;
    },
    stop,
  };
}
