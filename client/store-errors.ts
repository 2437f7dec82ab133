import { ClientError } from './port';

/** Codes of the database's client for a connection that could not be made, or was lost. */
const UNREACHABLE =
  /^(CONNECTION_\w+|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|EPIPE)$/;
/** SQLSTATE classes: connection exception, insufficient resources, the server is going down or starting. */
const OUT_OF_SERVICE = /^(08|53|57P)[0-9A-Z]+$/;

/** Runs a call that reads or writes the store; a database that is away becomes `unavailable`. */
export async function fromStore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toStoreError(error);
  }
}

export function toStoreError(error: unknown): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (error instanceof ClientError || !(UNREACHABLE.test(code) || OUT_OF_SERVICE.test(code))) return error;
  return new ClientError(
    'unavailable',
    'CM002',
    `The database does not answer (${code}). Start it, or check DATABASE_URL.`,
    {
      cause: error,
    },
  );
}
