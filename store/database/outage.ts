export const DISK_FULL = 'its disk is full';
export const READ_ONLY = 'it only reads, as after a failover';

/**
 * Every error that says that the database can't be used now and may be used later: the one place that
 * separates an outage from a fault. A code is Node's, of a socket or of DNS; the driver's; or an SQLSTATE, where `*` ends a class.
 */
export const OUTAGES = {
  ECONNREFUSED: 'Nothing listens at its address.',
  ECONNRESET: 'The connection was cut.',
  ECONNABORTED: 'The connection was cut on this side.',
  EPIPE: 'The connection was closed while something was sent.',
  ETIMEDOUT: 'Its machine does not answer.',
  EHOSTUNREACH: 'No route leads to its machine.',
  ENETUNREACH: 'No route leads to its network.',
  ENETDOWN: "This machine's network is down.",
  EADDRNOTAVAIL: 'This machine has no free port for a connection, or has lost its address.',
  ENOTFOUND: 'DNS has no such name, as while a name is moved.',
  EAI_AGAIN: 'DNS does not answer.',
  CONNECT_TIMEOUT: 'A connection was not made in time.',
  CONNECTION_CLOSED: 'The connection was closed before the answer came.',
  CONNECTION_ENDED: 'The pool has ended.',
  CONNECTION_DESTROYED: 'The connection was given up.',
  '08*': 'Connection exception.',
  '25P03': 'The server has ended a transaction in which nothing was said for too long.',
  '25006': 'The server takes no writes: it is a standby, or became one in a failover.',
  '53*': 'Insufficient resources: connections, memory, disk (53100).',
  '57P01': 'The server shuts down.',
  '57P02': 'Another process of the server has crashed.',
  '57P03': 'The server starts, or stops.',
  '57P05': 'The connection was idle for too long.',
} as const satisfies Record<string, string>;

const SENTENCES: Readonly<Record<string, string>> = { '53100': DISK_FULL, '25006': READ_ONLY };

/** The reason why the database can't be used now, for the brackets of a sentence; undefined for any other error. */
export function outageReason(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const isOutage = code in OUTAGES || (/^[0-9A-Z]{5}$/.test(code) && `${code.slice(0, 2)}*` in OUTAGES);
  return isOutage ? (SENTENCES[code] ?? code) : undefined;
}
