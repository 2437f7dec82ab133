import { log } from '@temporalio/activity';
import type { KeeperEvidence } from '../../../../contracts/browsers/keeper';
import { StreamEventType, type StreamEventData } from '../../../../contracts/events/stream-event';
import type { LostRecords, NewRecord } from '../../../../contracts/events/log';
import type { NotedIntent } from '../../../../store/journal/intent-witness';
import type { RecalledCommand } from '../../../../store/journal/journal';
import type { CommandIntent } from '../../../../store/journal/intent';
import type { Store } from '../../../../store/store';
import type { Attachment } from '../../attach/attachment';
import type { KeeperClient } from '../../attach/keeper-client';
import { EngineError, isOutage, toStandardError } from '../../../activity/failures';
import type { SessionValues } from '../../../secrets/session-values';
import { guardOf } from '../batch-context';
import { commandRecords } from '../../../recorded/command-records';
import { describeEvidenceSince } from './evidence-text';

interface RecallContext {
  store: Store;
  attachment: Attachment;
  keeper: () => Promise<KeeperClient>;
  values: SessionValues;
  sessionId: string;
  runId: string;
  epoch: number;
}

/**
 * Enters in the journal what this host has begun and the database has forgotten, because it was put back to an earlier
 * time. A commit becomes unknown, with what the keeper saw since, and so does what has led to a request that may have
 * changed something: a person is asked, and nothing is done twice. What may be repeated is done where its batch went on behind
 * it. Any other command of this batch is looked into as if its worker had died; one of an earlier batch has failed. Resolves to
 * whether there was any.
 */
export async function recallForgotten(
  { loading, ...place }: Omit<RecallContext, 'values'> & { loading: Promise<SessionValues> },
  batchIds: readonly string[],
): Promise<boolean> {
  const { store, sessionId } = place;
  const forgotten = await store.journal.forgotten(sessionId);
  if (forgotten.length === 0) return false;
  const context: RecallContext = { ...place, values: await loading };
  const recalled: { command: RecalledCommand; records: NewRecord[] }[] = [];
  for (const [index, noted] of forgotten.entries())
    recalled.push(await recall(context, noted, forgotten[index + 1], batchIds));
  const seq = Math.max(...forgotten.map((noted) => noted.seq));
  const warning = warningOf(context, forgotten);
  log.warn(warning.message, { sessionId });
  await store.journal.recall(
    sessionId,
    guardOf(context),
    recalled.map(({ command }) => command),
    (lost) => [withDetails(warning, lost), ...recalled.flatMap(({ records }) => records)],
    { seq, epoch: context.epoch },
  );
  return true;
}

async function recall(
  context: RecallContext,
  { intent, at, epoch }: NotedIntent,
  next: NotedIntent | undefined,
  batchIds: readonly string[],
): Promise<{ command: RecalledCommand; records: NewRecord[] }> {
  const { sessionId, attachment, values } = context;
  const { commandId, action, parameters, stepIndex, turn, effect, pageUrl } = intent;
  const seen = await evidenceOf(context, at, next?.at);
  const records = commandRecords({ sessionId, stepIndex, turn }, { commandId, action, parameters });
  const known = { intent, intendedAt: at, epoch };
  const isUnknown = effect === 'commit' || seen?.requests.some(({ method }) => method !== 'GET') === true;
  if (!isUnknown && effect === 'idempotent' && isOfSameBatch(intent, next?.intent))
    return { command: { ...known, status: 'done' }, records: [records.started(), records.completed(0)] };
  if (!isUnknown && batchIds.includes(commandId))
    return { command: { ...known, status: 'intended' }, records: [records.started()] };
  const witnesses = [
    `The database was put back to an earlier time and has forgotten this command, which its host began at ${at}.`,
    seen === undefined ? 'The host has no record of requests since.' : describeEvidenceSince(seen, new Date(at)),
  ].join(' ');
  const message = isUnknown
    ? `Nobody knows how ${action} ended; it is not repeated. ${witnesses}`
    : `Nobody knows how ${action} ended. ${witnesses}`;
  const cause = new EngineError('TL004', message, { details: isUnknown ? { outcome: 'unknown' } : {} });
  const error = values.redactAll(toStandardError(cause, 'TL004', { sessionId, stepIndex, commandId }));
  const evidence = values.redactAll({
    kind: 'forgotten' as const,
    urlBefore: pageUrl,
    urlAfter: attachment.page.url(),
    witnesses,
    ...seen,
  });
  return {
    command: { ...known, status: isUnknown ? 'unknown' : 'failed', error, evidence },
    records: [records.started(), records.failed(0, error)],
  };
}

/** A batch stops at its first failure: what was followed by a command of its batch has succeeded. */
function isOfSameBatch({ stepIndex, turn, position }: CommandIntent, next: CommandIntent | undefined): boolean {
  return next?.stepIndex === stepIndex && next.turn === turn && next.position > position;
}

/** What the keeper saw from this command to the next one; undefined where it has no evidence of the session any more. */
async function evidenceOf(
  { keeper, sessionId }: RecallContext,
  at: string,
  until: string | undefined,
): Promise<KeeperEvidence | undefined> {
  try {
    const seen = await (await keeper()).evidence(sessionId, new Date(at), undefined);
    if (until === undefined) return seen;
    return { ...seen, requests: seen.requests.filter((request) => request.at < until) };
  } catch (error) {
    if (isOutage(error)) throw error;
    return undefined;
  }
}

type Warning = NonNullable<StreamEventData['warning']>;

function warningOf({ sessionId, epoch }: RecallContext, forgotten: readonly NotedIntent[]): Warning {
  const commits = forgotten.filter(({ intent }) => intent.effect === 'commit').length;
  const id = `${sessionId}/recalled/${epoch}/${forgotten.at(-1)!.intent.commandId}`;
  const message =
    `The database was put back to an earlier time: it had forgotten ${counted(forgotten.length, 'command')} of this session, ` +
    `${commits === 0 ? 'none' : commits} of them such that nothing takes them back. They are entered again as far as their ` +
    'host knows of them, and a person is asked how those ended; records of the log that are missing are lost.';
  return { id, code: 'CM002', message, timestamp: new Date(), sessionId };
}

function withDetails(warning: Warning, lost: LostRecords): NewRecord {
  return {
    eventId: warning.id,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: new Date().toISOString(),
    data: { warning: { ...warning, details: lost } },
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
