import type { NewRecord } from '../../contracts/events/log';
import type { RowPatch } from '../../contracts/events/outbox';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { Store } from '../store';

const LOSS =
  'The database was put back to an earlier time while this session ran (CM002 in its log): its page may be further than its ' +
  'steps, so look at it before anything is run again.';

/**
 * The end of a session with an error whose database had forgotten a part of it: the error says so, since the page was further
 * than the steps knew. Any other batch comes back as it is.
 */
export async function nameTheLoss<B extends { records: readonly NewRecord[]; patch: RowPatch }>(
  { log }: { log: Pick<Store['log'], 'hasLost'> },
  sessionId: string,
  batch: B,
): Promise<B> {
  const { error, closed } = batch.patch;
  if (error === undefined || closed !== true || !(await log.hasLost(sessionId))) return batch;
  const named: StandardError = { ...error, suggestedAction: [LOSS, error.suggestedAction].filter(Boolean).join(' ') };
  const records = batch.records.map((record) =>
    record.data.error?.id === error.id ? { ...record, data: { ...record.data, error: named } } : record,
  );
  return { ...batch, records, patch: { ...batch.patch, error: named } };
}
