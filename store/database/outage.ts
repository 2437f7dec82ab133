/** Codes of the database's client, and of sockets, for a connection that could not be made or was lost. */
const UNREACHABLE =
  /^(CONNECTION_\w+|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|EPIPE)$/;
/** SQLSTATE classes: connection exception, insufficient resources (53100: its disk is full), shutting down or starting. */
const OUT_OF_SERVICE = /^(08|53|57P)[0-9A-Z]+$/;
export const DISK_FULL = 'its disk is full';

/** The reason why the database can't be used now, for the brackets of a sentence; undefined for any other error. */
export function outageReason(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === '53100') return DISK_FULL;
  return UNREACHABLE.test(code) || OUT_OF_SERVICE.test(code) ? code : undefined;
}
