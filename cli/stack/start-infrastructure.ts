import { fetchChromium } from './programs/fetch-chromium';
import type { FetchContext } from './programs/install-method';
import { fetchTemporal } from './programs/fetch-temporal';
import { locateChromium } from './programs/locate-chromium';
import { locateTemporal, type AvailableTemporal } from './programs/locate-temporal';
import { payloadKeysOfStack } from './payload-keys';
import { HOST, stackPorts } from './ports/ports';
import { requireDatabase, preparePostgres } from './postgres/server';
import { systemProbes } from './programs/probes';
import { secondsSince, withProgress } from './reporting/reporter';
import { runProgram } from '../../runtime/run-command';
import type { StackContext } from './stack-context';
import { requireTemporal, temporalServer } from './temporal-server';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { readTemporalSettings } from '../../runtime/settings/temporal';

/** Addresses that the processes need; empty, which counts as not set, for a part that was left out. */
export interface Infrastructure {
  databaseUrl: string;
  temporalAddress: string;
  temporalUi: string | undefined;
  /** Of a Temporal server of the stack's own, as SUREFOOT_PAYLOAD_KEYS has them. */
  payloadKeys?: string | undefined;
  /** Where its web page has such payloads decrypted. */
  codecEndpoint?: string | undefined;
  chromiumPath: string | undefined;
}

interface StartedTemporal {
  address: string;
  ui: string | undefined;
  payloadKeys?: string | undefined;
  codecEndpoint?: string | undefined;
}

/** Locates or fetches the programs first, which may fail without a network, then starts both servers together. */
export async function startInfrastructure(site: StackContext): Promise<Infrastructure> {
  const { env, reporter, signal } = site;
  const context: FetchContext = { probes: systemProbes(env), reporter, run: runProgram, signal };
  const source = site.has('temporal') ? await obtainTemporal(site, context) : undefined;
  const chromiumPath = site.has('chromium') ? await obtainChromium(context) : readSetting(SETTINGS.chromiumPath, env);
  // Waits for both even when one fails, so that an aborted start leaves no work running.
  const [database, temporal] = await Promise.allSettled([
    site.has('postgres') ? startPostgres(site) : (readSetting(SETTINGS.databaseUrl, env) ?? ''),
    source === undefined ? temporalOf(env) : startTemporal(site, source),
  ]);
  if (database.status === 'rejected') throw database.reason;
  if (temporal.status === 'rejected') throw temporal.reason;
  const { address, ui, ...encryption } = temporal.value;
  return { databaseUrl: database.value, temporalAddress: address, temporalUi: ui, ...encryption, chromiumPath };
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

async function startPostgres(site: StackContext): Promise<string> {
  const { home, env, reporter } = site;
  const url = readSetting(SETTINGS.databaseUrl, env);
  if (url) {
    await requireDatabase(url);
    reporter.step('PostgreSQL is the server in DATABASE_URL');
    return url;
  }
  const startedAt = performance.now();
  const { databaseUrl, port } = await withProgress(
    reporter,
    'starting PostgreSQL, about 3 seconds the first time',
    async () => {
      const serverAt = await preparePostgres(home, env, reporter);
      const { ports } = await site.supervise([stackPorts.postgres], ([port]) => serverAt(port!).spec);
      return { databaseUrl: serverAt(ports[0]!).databaseUrl, port: ports[0]! };
    },
  );
  reporter.step(`PostgreSQL is up at ${HOST}:${port} (${secondsSince(startedAt)})`);
  return databaseUrl;
}

function temporalOf(env: NodeJS.ProcessEnv): StartedTemporal {
  return { address: readTemporalSettings(env)?.address ?? '', ui: undefined };
}

async function startTemporal(site: StackContext, source: AvailableTemporal): Promise<StartedTemporal> {
  const { home, env, reporter, temporalSettings, encryptsPayloads } = site;
  if (source.kind === 'server') {
    const { server } = source;
    const { address } = server;
    await withProgress(reporter, `connecting to Temporal at ${address}`, () => requireTemporal(server));
    reporter.step(`Temporal is the server at ${address}`);
    return { address, ui: undefined };
  }
  const payloadKeys = payloadKeysOfStack(home, env, encryptsPayloads);
  // Its web page shows what the API decrypts for it.
  const api = payloadKeys !== undefined && site.has('processes') ? await site.choosePort(stackPorts.api) : undefined;
  const codecEndpoint = api === undefined ? undefined : `http://${HOST}:${api}/codec`;
  const startedAt = performance.now();
  const { ports } = await withProgress(reporter, 'starting Temporal, about 2 seconds', () =>
    site.supervise([stackPorts.temporal, stackPorts.temporalUi], ([port, uiPort]) =>
      temporalServer({
        program: source.path,
        home,
        port: port!,
        uiPort: uiPort!,
        codecEndpoint,
        namespace: readSetting(SETTINGS.temporalNamespace, env),
        env,
        settings: temporalSettings,
      }),
    ),
  );
  const [address, ui] = [`${HOST}:${ports[0]}`, `http://${HOST}:${ports[1]}`];
  reporter.step(`Temporal is up at ${address}, its web page at ${ui} (${secondsSince(startedAt)})`);
  return { address, ui, payloadKeys, codecEndpoint };
}
