import { HOST } from './ports/ports';
import { compileCacheFolder } from './programs/probes';
import { toChildSpec, type ProcessSpec } from './processes';
import { secondsSince, withProgress } from './reporting/reporter';
import type { StackContext } from './stack-context';
import type { Infrastructure } from './start-infrastructure';
import { hostsWithoutSandbox, WITHOUT_SANDBOX } from '../../runtime/sandbox-note';
import { DEMO_SECRETS } from '../../runtime/settings/floor-definitions';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { localTemporalEnv } from '../../runtime/settings/temporal';

/** Shorter than the grace period after which the supervisor kills a process. */
const DRAIN_MS = '3000';

/**
 * By default glibc raises its mmap threshold with every large buffer that is freed, and gives each thread a heap of its
 * own, so that memory of pages, screenshots and traces is not returned to the system (docs/decisions/retention.md).
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Starts the project's processes in parallel; returns the address of each that has one. */
export async function startProcesses(
  site: StackContext,
  processes: readonly ProcessSpec[],
  infrastructure: Infrastructure,
  pageKey: string | undefined,
): Promise<Map<string, string>> {
  const { home, reporter } = site;
  const { databaseUrl, temporalAddress, temporalUi, chromiumPath } = infrastructure;
  // A server of the stack's own takes no TLS or API key that the environment has for another one.
  const isOwnTemporal = temporalUi !== undefined;
  const env: NodeJS.ProcessEnv = {
    ...ALLOCATOR,
    NODE_COMPILE_CACHE: compileCacheFolder(site.env),
    ...(isOwnTemporal ? localTemporalEnv(site.env, temporalAddress) : site.env),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    SUREFOOT_HOME: home,
    // What the demo types; of everything else the person who starts the stack decides.
    [SETTINGS.floors.envSecrets.env]: site.env[SETTINGS.floors.envSecrets.env] || DEMO_SECRETS.join(),
    [SETTINGS.drainMs.env]: site.env[SETTINGS.drainMs.env] || DRAIN_MS,
    ...(chromiumPath === undefined ? {} : { CHROMIUM_PATH: chromiumPath }),
  };
  const startedAt = performance.now();
  const names = processes.map(({ name }) => name).join(', ');
  const metricsAddress = readSetting(SETTINGS.metricsAddress, site.env);
  const addresses = await withProgress(reporter, `starting ${names}, about 5 seconds`, () =>
    Promise.all(
      processes.map(async (own, index): Promise<[string, string | undefined]> => {
        const metrics = metricsOf(own.name, metricsAddress, processes.slice(0, index));
        const { ports, readiness } = await site.supervise(own.port === undefined ? [] : [own.port], ([port]) =>
          toChildSpec(own, { home, port, env: { ...env, ...metrics, ...(own.name === 'api' ? keyOf(pageKey) : {}) } }),
        );
        return [own.name, readiness.address ?? (ports[0] === undefined ? undefined : `http://${HOST}:${ports[0]}`)];
      }),
    ),
  );
  for (const { hostId, reason } of hostsWithoutSandbox(home))
    reporter.warn(`on the host ${hostId}, ${WITHOUT_SANDBOX}. It does so because ${reason}`);
  if (processes.length > 0) reporter.step(`${names} are up (${secondsSince(startedAt)})`);
  return new Map(addresses.flatMap(([name, address]) => (address === undefined ? [] : [[name, address] as const])));
}

/** Of the API alone: whoever has the key may act from a page. */
function keyOf(pageKey: string | undefined): NodeJS.ProcessEnv {
  return pageKey === undefined ? {} : { [SETTINGS.pageKey.env]: pageKey };
}

const WORKER = /^(?:engine|browser)-/;

/** Gives each worker of a machine the next port; other processes have no metrics. */
export function metricsOf(
  name: string,
  address: string | undefined,
  before: readonly { name: string }[],
): { SUREFOOT_METRICS?: string } {
  const [, host, port] = /^(.+):(\d+)$/.exec(address ?? '') ?? [];
  if (host === undefined || !WORKER.test(name)) return {};
  const place = before.filter((each) => WORKER.test(each.name)).length;
  return { SUREFOOT_METRICS: `${host}:${Number(port) + place}` };
}
