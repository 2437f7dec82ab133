import { isGrpcServiceError, ScheduleNotFoundError, type Client } from '@temporalio/client';
import { SERVICE_DEADLINES } from '../connection/deadlines';
import { invalid } from '../connection/invalid';
import { fromConnection } from '../connection/temporal-errors';
import type { ClientError } from '../port/port';
import { notFound } from '../rows/session-row';

export const NOT_CREATED = 'The schedule can not be created';
export const NOT_CHANGED = 'The schedule can not be changed';

/** Status code of gRPC. */
const NOT_FOUND = 5;

/** Runs a call about a schedule. Its errors become ClientErrors, but for those of a creation that the request is to blame for. */
export async function fromTemporal<T>(temporal: Client, id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await temporal.withDeadline(Date.now() + SERVICE_DEADLINES.start, call);
  } catch (error) {
    if (error instanceof ScheduleNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND))
      throw notFound(`There is no schedule ${id}.`);
    throw fromConnection(error);
  }
}

/** The client of Temporal throws a TypeError for times that the server can't read. */
export function wrongTimes({ message }: TypeError, what: string): ClientError {
  const path = /time ?zone/i.test(message) ? 'timeZone' : 'cron';
  return invalid(what, [{ path, message: `Temporal does not take it: ${message}` }]);
}
