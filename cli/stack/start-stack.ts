import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { SETTINGS } from '../../runtime/settings/definitions';
import { LOCAL_PORTS } from '../../runtime/settings/process-definitions';
import { readGroup, readSetting } from '../../runtime/settings/setting';
import type { StackFile } from '../../runtime/settings/stack-file';
import { FolderNotPrivate, makePrivate } from '../../runtime/private-folder';
import { removeUsersFolder } from '../../runtime/users-folder';
import { endKeptBrowsers, endLeftovers } from './supervisor/leftovers';
import { createPortChooser } from './ports/ports';
import { defaultProcesses, type ProcessSpec } from './processes';
import type { Reporter } from './reporting/reporter';
import { listProcesses, removeStackFile, writeStackFile, type ProcessRow } from './supervisor/run-files';
import type { StackContext, StackPart } from './stack-context';
import { startInfrastructure } from './start-infrastructure';
import { startProcesses } from './start-processes';
import { inStopOrder } from './supervisor/stop-order';
import { superviseChild, type SupervisedChild } from './supervisor/supervise-child';
import { acquireSupervisorLock } from './supervisor/lock';
import type { ChildSpec } from './supervisor/spawn-child';
import { superviseOn } from './supervise-on';
import { StackError } from './reporting/stack-error';

export interface StackOptions {
  /** Folder of all local data. */
  home: string;
  reporter: Reporter;
  env?: NodeJS.ProcessEnv;
  /** Only these parts; all by default. */
  only?: readonly StackPart[];
  /** `any` takes free ports instead of the usual ones, so that several stacks can run at once. */
  ports?: 'usual' | 'any';
  processes?: readonly ProcessSpec[];
  /**
   * Encrypts what a Temporal server of the stack's own keeps, with a key that is made once in the home. By default it is
   * encrypted where the environment has keys, or the home has one already.
   */
  encryptsPayloads?: boolean;
  /** Further dynamic config of the Temporal server. */
  temporalSettings?: Readonly<Record<string, string>>;
  /** End the stack that another supervisor runs in this home, instead of refusing. */
  replace?: boolean;
  /** Aborts the start: what has started is stopped, and startStack rejects. */
  signal?: AbortSignal;
}

/** A running local stack; this process is its supervisor. */
export interface Stack {
  addresses: Omit<StackFile, 'supervisorPid'>;
  processes(): ProcessRow[];
  /** Prevents restarts of the process with this name until the returned function is called, to test long outages. */
  hold(name: string): () => void;
  /** Resolves, and everything is ended, when a server of the stack's own can't be started again: why, and what to do. */
  failed: Promise<StackError>;
  /** Ends everything in order and keeps the data. `atOnce` kills, for a home that is not used again. */
  stop(how?: { atOnce?: boolean }): Promise<void>;
}

/** Starts what Surefoot needs on this machine and keeps it running until it is stopped. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { reporter, signal } = options;
  const env = options.env ?? process.env;
  // What is wrong with them is said before anything starts.
  readGroup({ ...SETTINGS, ...LOCAL_PORTS }, env);
  const home = resolve(options.home);
  for (const warning of makePrivateHome(home)) reporter.warn(warning);
  const releaseLock = await acquireSupervisorLock(home, options.replace ?? false, reporter);
  const children: SupervisedChild[] = [];
  const ports = createPortChooser(env, options.ports === 'any', reporter);
  const supervise = (spec: ChildSpec) => {
    signal?.throwIfAborted();
    const child = superviseChild(spec, home, reporter, failed.resolve);
    children.push(child);
    return child.ready;
  };
  const failed = Promise.withResolvers<StackError>();
  const context: StackContext = {
    home,
    env,
    reporter,
    signal,
    encryptsPayloads: options.encryptsPayloads ?? false,
    temporalSettings: options.temporalSettings ?? {},
    has: (part) => options.only?.includes(part) ?? true,
    choosePort: ports.choose,
    supervise: (settings, specOf) => superviseOn(ports, settings, specOf, supervise),
  };

  let stopped: Promise<void> | undefined;
  const stop = (how: { atOnce?: boolean } = {}) => (stopped ??= stopAll(how));
  async function stopAll({ atOnce = false }: { atOnce?: boolean }): Promise<void> {
    removeStackFile(home);
    // Only the keeper knows a Chrome that is just starting, so the keeper always ends in order.
    await inStopOrder(children, (child) => child.stop({ atOnce: atOnce && child.name !== 'keeper' }));
    await endKeptBrowsers(home);
    if (atOnce) removeUsersFolder(home, readSetting(SETTINGS.usersFolder, env));
    ports.release();
    releaseLock();
  }

  // A stopped child rejects `ready`, so that the start ends.
  const onAbort = () => void inStopOrder(children, (child) => child.stop());
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    await endLeftovers(home, reporter);
    const addresses = await bringUp(context, options.processes);
    signal?.throwIfAborted();
    noteStack(home, addresses);
    const hold = (name: string) => children.findLast((child) => child.name === name)!.hold();
    void failed.promise.then((error) => {
      reporter.warn(error.message);
      return stop();
    });
    return { addresses, processes: () => listProcesses(home), hold, failed: failed.promise, stop };
  } catch (error) {
    await stop();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

async function bringUp(site: StackContext, processes: readonly ProcessSpec[] | undefined): Promise<Stack['addresses']> {
  const infrastructure = await startInfrastructure(site);
  const { databaseUrl, temporalAddress, temporalUi, payloadKeys, chromiumPath } = infrastructure;
  const known = {
    databaseUrl,
    temporalAddress,
    model: readSetting(SETTINGS.model, site.env),
    ...(temporalUi === undefined ? {} : { temporalUi }),
    ...(payloadKeys === undefined ? {} : { payloadKeys }),
    ...(chromiumPath === undefined ? {} : { chromium: chromiumPath }),
  };
  // Before the API answers: whoever waits for it looks for the stack next.
  noteStack(site.home, known);
  const own = site.has('processes') ? (processes ?? defaultProcesses()) : [];
  const pageKey = pageKeyOf(site.env);
  const addresses = await startProcesses(site, own, infrastructure, pageKey);
  const [api, shop] = [addresses.get('api'), addresses.get('shop')];
  const { codecEndpoint } = infrastructure;
  if (api !== undefined && codecEndpoint !== undefined && !codecEndpoint.startsWith(`${api}/`))
    site.reporter.warn(
      `Temporal's web page can't show what is encrypted: it asks ${codecEndpoint}, and the API is at ${api} now. ` +
        'Start the stack again to read it there.',
    );
  const page = pageKey === undefined ? api : `${api}/#sign-in=${pageKey}`;
  return { ...known, ...(api === undefined ? {} : { api, page }), ...(shop === undefined ? {} : { shop }) };
}

/** Where the API has no token, its page acts with a key that the start prints. Undefined where it has one. */
function pageKeyOf(env: NodeJS.ProcessEnv): string | undefined {
  if (readSetting(SETTINGS.apiToken, env) !== undefined) return undefined;
  return readSetting(SETTINGS.pageKey, env) ?? randomBytes(24).toString('base64url');
}

function makePrivateHome(home: string): string[] {
  try {
    return makePrivate(home);
  } catch (error) {
    throw error instanceof FolderNotPrivate ? new StackError(error.message) : error;
  }
}

function noteStack(home: string, addresses: Stack['addresses']): void {
  if (addresses.databaseUrl && addresses.temporalAddress)
    writeStackFile(home, { supervisorPid: process.pid, ...addresses });
}
