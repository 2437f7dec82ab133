import { SEARCH_ATTRIBUTES } from '../../contracts/sessions/search-attributes';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { PRIVATE } from '../../runtime/private-folder';
import type { Readiness } from '../../runtime/process';
import type { TemporalServer } from '../../runtime/settings/temporal';
import { HOST } from './ports/ports';
import { canConnect } from './ports/probe-port';
import type { ChildSpec } from './supervisor/spawn-child';
import { temporalAdvice } from './reporting/damaged-data';
import { stackReasonOf, StackError } from './reporting/stack-error';
import { STOP_ORDER } from './supervisor/stop-order';

const CONNECT_MS = 5000;

/**
 * Without these every activity costs 100 ms, because the one history shard of a development server polls
 * 20 times a second; with them it is 10 to 14 ms.
 */
const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': '1000',
  'history.timerProcessorMaxTimeShift': '"10ms"',
  'history.timerProcessorMaxPollRPS': '1000',
  'system.enableActivityEagerExecution': 'true',
  // Sessions wait for a browser in a task queue: by priority, fair between tenants, first come first served. With the
  // default of four partitions a queue has no order.
  'matching.useNewMatcher': 'true',
  'matching.enableFairness': 'true',
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  // Nothing of ours uses its HTTP API, and any page of any browser of this machine could: it answers 403 to every host.
  'frontend.httpAllowedHosts': '["none.invalid"]',
};

const TYPE_NAMES = { KEYWORD: 'Keyword', INT: 'Int', DOUBLE: 'Double' };
/** What Temporal's list shows of a session; on an external server the engine worker registers them. */
const searchAttributes = Object.fromEntries(
  Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, TYPE_NAMES[type]]),
);

/** SQLite survives a kill without a disk sync at every transaction. */
const sqlitePragmas = { journal_mode: 'wal', synchronous: 'normal' };

export interface TemporalServerOptions {
  program: string;
  home: string;
  port: number;
  uiPort: number;
  /** From where its web page gets encrypted payloads decrypted. */
  codecEndpoint?: string | undefined;
  namespace: string;
  env: NodeJS.ProcessEnv;
  settings: Readonly<Record<string, string>>;
}

export function temporalServer(options: TemporalServerOptions): ChildSpec {
  const { program, home, port, uiPort, codecEndpoint, namespace, env, settings } = options;
  const folder = join(home, 'temporal');
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
  const address = `${HOST}:${port}`;
  return {
    name: 'temporal',
    // It makes its database readable for everybody unless its umask says otherwise; `exec` keeps the pid.
    command: '/bin/sh',
    args: [
      '-c',
      `umask ${PRIVATE.umask.toString(8)}; exec "$0" "$@"`,
      program,
      'server',
      'start-dev',
      ...flags({ ip: HOST, port: String(port), 'ui-port': String(uiPort), namespace }),
      ...flags({ 'db-filename': join(folder, 'temporal.db'), 'log-level': 'error', 'log-format': 'json' }),
      ...(codecEndpoint === undefined ? [] : flags({ 'ui-codec-endpoint': codecEndpoint })),
      ...pairs('--sqlite-pragma', sqlitePragmas),
      ...pairs('--dynamic-config-value', { ...dynamicConfig, ...settings }),
      ...pairs('--search-attribute', searchAttributes),
    ],
    env,
    port,
    address,
    stopSignal: 'SIGTERM',
    stopOrder: STOP_ORDER.temporal,
    advice: () => temporalAdvice(join(folder, 'temporal.db')),
    probe: async () => ((await canConnect(HOST, port)) ? describeNamespace({ address, namespace }) : undefined),
  };
}

/** Checks that an external server answers and has the namespace; throws a StackError that names what is missing. */
export async function requireTemporal(server: TemporalServer): Promise<void> {
  const { address, namespace } = server;
  try {
    // A gRPC client would retry for seconds where nothing listens.
    const { hostname, port } = new URL(`grpc://${address}`);
    if (!(await canConnect(hostname, Number(port)))) throw new Error('nothing listens there');
    await describeNamespace(server);
  } catch (error) {
    throw new StackError(
      `TEMPORAL_ADDRESS is ${address}, but no Temporal server with the namespace "${namespace}" answers there ` +
        `(${stackReasonOf(error)}). Start one there, correct TEMPORAL_ADDRESS, ` +
        'or leave it unset so that the stack starts its own server.',
    );
  }
}

async function describeNamespace({ address, namespace, security }: TemporalServer): Promise<Readiness> {
  const connection = await Connection.connect({ ...security, address, connectTimeout: CONNECT_MS });
  try {
    await connection.withDeadline(Date.now() + CONNECT_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return {};
  } finally {
    await connection.close();
  }
}

function flags(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
}

function pairs(flag: string, values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);
}
