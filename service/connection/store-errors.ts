import { withReadTimeout } from '../../store/database/read-timeout';
import { DISK_FULL, outageReason, READ_ONLY } from '../../store/database/outage';
import { FilesUnavailable } from '../../store/files/files';
import { ClientError } from '../port/port';

/** Runs a call of the store. An outage of the database, or a database that does not answer in time, becomes `unavailable`. */
export async function fromStore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await withReadTimeout(call());
  } catch (error) {
    throw toStoreError(error);
  }
}

export function toStoreError(error: unknown): unknown {
  if (error instanceof FilesUnavailable)
    return new ClientError('unavailable', 'CM002', error.message, { cause: error });
  const reason = outageReason(error);
  if (error instanceof ClientError || reason === undefined) return error;
  return new ClientError('unavailable', 'CM002', sentenceFor(reason), {
    cause: error,
  });
}

function sentenceFor(reason: string): string {
  if (reason === DISK_FULL) return `The database takes nothing any more: ${DISK_FULL}. Free some room there.`;
  if (reason === READ_ONLY)
    return `The database takes no writes: ${READ_ONLY}. DATABASE_URL has to lead to the primary.`;
  return `The database does not answer (${reason}). Start it, or check DATABASE_URL.`;
}
