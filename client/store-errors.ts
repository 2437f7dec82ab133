import { answered } from '../store/answer-limit';
import { NO_ROOM, outageReason } from '../store/outage';
import { ClientError } from './port';

/**
 * Runs a call that reads or writes the store; a database that is away becomes `unavailable`, also when it
 * is there and gives no answer.
 */
export async function fromStore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await answered(call());
  } catch (error) {
    throw toStoreError(error);
  }
}

export function toStoreError(error: unknown): unknown {
  const reason = outageReason(error);
  if (error instanceof ClientError || reason === undefined) return error;
  return new ClientError('unavailable', 'CM002', sentenceFor(reason), {
    cause: error,
  });
}

function sentenceFor(reason: string): string {
  if (reason === NO_ROOM) return `The database takes nothing any more: ${NO_ROOM}. Free some room there.`;
  return `The database does not answer (${reason}). Start it, or check DATABASE_URL.`;
}
