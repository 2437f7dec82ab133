import { probePort } from '../stack/ports/probe-port';
import { CliError } from './exit';
import { oneLineOf } from './failure';
import { asCalled } from '../terminal/as-called';
import { withinMs } from '../../runtime/time-limit';

/** The address of a service, and the environment variable that sets it. */
export interface ServiceEndpoint {
  service: 'PostgreSQL' | 'Temporal';
  variable: 'DATABASE_URL' | 'TEMPORAL_ADDRESS';
  host: string;
  port: number;
}

/** Returns undefined for a URL without a single host and port; the client of the service reports its own error then. */
export function databaseEndpoint(databaseUrl: string): ServiceEndpoint | undefined {
  if (!URL.canParse(databaseUrl)) return undefined;
  const { hostname, port } = new URL(databaseUrl);
  if (hostname === '' || hostname.includes(',')) return undefined;
  return { service: 'PostgreSQL', variable: 'DATABASE_URL', host: bare(hostname), port: Number(port || 5432) };
}

export function temporalEndpoint(address: string): ServiceEndpoint | undefined {
  const url = `http://${address.replace(/^\w+:\/\//, '')}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  return { service: 'Temporal', variable: 'TEMPORAL_ADDRESS', host: bare(hostname), port: Number(port || 7233) };
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Fails at once when nothing listens there; the clients of the services would retry for ten seconds and more. */
export async function assertReachable(endpoint: ServiceEndpoint | undefined): Promise<void> {
  if (endpoint === undefined) return;
  const { host, port } = endpoint;
  try {
    await probePort(host, port);
  } catch (error) {
    throw unreachable(endpoint, error);
  }
}

function unreachable({ service, variable, host, port }: ServiceEndpoint, error: unknown): CliError {
  return new CliError(
    `${service} can't be reached at ${host}:${port} (${oneLineOf(error)}). Start a local stack with ${asCalled('dev')}, or correct ${variable}.`,
  );
}

/** Rejects with a sentence when the service accepts the connection but does not answer in time. */
export function withinTimeout<T>(name: string, work: Promise<T>, limitMs = 15_000): Promise<T> {
  return withinMs(limitMs, work, () => new CliError(`${name} did not answer within ${limitMs / 1000} s.`));
}
