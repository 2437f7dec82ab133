import { fetchChromium } from './programs/fetch-chromium';
import type { FetchContext } from './programs/install-method';
import { fetchTemporal } from './programs/fetch-temporal';
import { locateChromium } from './programs/locate-chromium';
import { locateTemporal, type AvailableTemporal } from './programs/locate-temporal';
import { payloadKeysOfStack } from './payload-keys';
import { HOST, stackPorts } from './ports';
import { checkDatabase, preparePostgres } from './postgres/server';
import { systemProbes } from './programs/probes';
import { secondsSince, withProgress } from './reporter';
import { runCommand } from '../runtime/run-command';
import type { StackContext } from './stack-context';
import { checkTemporal, temporalServer } from './temporal-server';
import { SETTINGS } from '../runtime/settings/definitions';
import { readSetting } from '../runtime/settings/setting';
import { readTemporalSettings } from '../runtime/settings/temporal';

/** Addresses that the processes need; empty, which counts as not set, for a part that was left out. */
export interface Infrastructure {
  databaseUrl: string;
  temporalAddress: string;
  temporalUi: string | undefined;
  /** Of a Temporal server of the stack's own, as SUREFOOT_PAYLOAD_KEYS has them. */
  payloadKeys?: string | undefined;
  chromiumPath: string | undefined;
}

interface StartedTemporal {
  address: string;
  ui: string | undefined;
  payloadKeys?: string | undefined;
}

/** Locates or fetches the programs first, which may fail without a network, then starts both servers together. */
export async function startInfrastructure(site: StackContext): Promise<Infrastructure> {
  const { env, reporter, signal } = site;
  const context: FetchContext = { probes: systemProbes(env), reporter, run: runCommand, signal };
  const source = site.has('temporal') ? await obtainTemporal(site, context) : undefined;
  const chromiumPath = site.has('chromium') ? await obtainChromium(context) : readSetting(SETTINGS.chromiumPath, env);
  // Ports are chosen one after the other, so that no two parts get the same one.
  const startPostgres = site.has('postgres')
    ? await planPostgres(site)
    : () => Promise.resolve(readSetting(SETTINGS.databaseUrl, env) ?? '');
  const startTemporal =
    source === undefined
      ? (): Promise<StartedTemporal> =>
          Promise.resolve({ address: readTemporalSettings(env)?.address ?? '', ui: undefined })
      : await planTemporal(site, source);
  // Waits for both even when one fails, so that an aborted start leaves no work running.
  const [database, temporal] = await Promise.allSettled([startPostgres(), startTemporal()]);
  if (database.status === 'rejected') throw database.reason;
  if (temporal.status === 'rejected') throw temporal.reason;
  const { address, ui, payloadKeys } = temporal.value;
  return { databaseUrl: database.value, temporalAddress: address, temporalUi: ui, payloadKeys, chromiumPath };
}

async function obtainTemporal(site: StackContext, context: FetchContext): Promise<AvailableTemporal> {
  const source = locateTemporal(context.probes, site.home);
  return source.kind === 'missing' ? { kind: 'program', path: await fetchTemporal(context, site.home) } : source;
}

async function obtainChromium(context: FetchContext): Promise<string> {
  const path = locateChromium(context.probes) ?? (await fetchChromium(context));
  context.reporter.step(`Chromium is ${path}`);
  return path;
}

async function planPostgres(site: StackContext): Promise<() => Promise<string>> {
  const { home, env, reporter } = site;
  const url = readSetting(SETTINGS.databaseUrl, env);
  if (url) {
    return async () => {
      await checkDatabase(url);
      reporter.step('PostgreSQL is the server in DATABASE_URL');
      return url;
    };
  }
  const port = await site.choosePort(stackPorts.postgres);
  return async () => {
    const startedAt = performance.now();
    const server = await withProgress(reporter, 'starting PostgreSQL, about 3 seconds the first time', async () => {
      const prepared = await preparePostgres(home, port, env, reporter);
      await site.supervise(prepared.spec);
      return prepared;
    });
    reporter.step(`PostgreSQL is up at ${HOST}:${port} (${secondsSince(startedAt)})`);
    return server.databaseUrl;
  };
}

async function planTemporal(site: StackContext, source: AvailableTemporal): Promise<() => Promise<StartedTemporal>> {
  const { home, env, reporter, temporalSettings, encryptsPayloads } = site;
  if (source.kind === 'server') {
    const { server } = source;
    const { address } = server;
    return async () => {
      await withProgress(reporter, `connecting to Temporal at ${address}`, () => checkTemporal(server));
      reporter.step(`Temporal is the server at ${address}`);
      return { address, ui: undefined };
    };
  }
  const port = await site.choosePort(stackPorts.temporal);
  const uiPort = await site.choosePort(stackPorts.temporalUi);
  const payloadKeys = payloadKeysOfStack(home, env, encryptsPayloads);
  // Its web page shows what the API decrypts for it.
  const api = payloadKeys !== undefined && site.has('processes') ? await site.choosePort(stackPorts.api) : undefined;
  return async () => {
    const startedAt = performance.now();
    const spec = temporalServer({
      program: source.path,
      home,
      port,
      uiPort,
      codecEndpoint: api === undefined ? undefined : `http://${HOST}:${api}/codec`,
      namespace: readSetting(SETTINGS.temporalNamespace, env),
      env,
      settings: temporalSettings,
    });
    await withProgress(reporter, 'starting Temporal, about 2 seconds', () => site.supervise(spec));
    const ui = `http://${HOST}:${uiPort}`;
    reporter.step(`Temporal is up at ${HOST}:${port}, its web page at ${ui} (${secondsSince(startedAt)})`);
    return { address: `${HOST}:${port}`, ui, payloadKeys };
  };
}
