import { createHash, randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { canonicalJson } from '../../contracts/json';
import type { ControlMessage, MessageRefusal } from '../../contracts/messages/control-message';
import { messageDefinition, type ControlMessageName } from '../../contracts/messages/messages';
import { faultPoint } from '../../runtime/fault-point';
import type { NewMessage, MessageRow } from '../../store/messages/control-messages';
import { messageIdFromKey } from '../../store/sessions/session-id';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { SERVICE_DEADLINES } from '../connection/deadlines';
import { fromStore } from '../connection/store-errors';
import { wrongState } from '../connection/temporal-errors';
import { ClientError } from '../port/port';
import { isEnded, notFound, requireSessionRow } from '../rows/session-row';
import { createMessageDelivery, MESSAGE_TAKEN_MS } from './deliver-messages';
import type { IdempotencyOptions, MessageReceipt } from '../port/receipt';
import { keyReused, parseIdempotencyKey } from '../connection/idempotency-key';

export interface MessageRequest {
  name: ControlMessageName;
  /** As the caller has given it: a repetition under the same key has to be the same. */
  request?: unknown;
  /** Checks the request against the session and makes the input of the message; by default that is the request. */
  prepare?: (row: SessionRow) => Promise<unknown>;
}

/** Of requests that are repeated after an outage; the rest need a key. */
const MOST_LOST = 1000;

export type MessageControl = ReturnType<typeof createMessageControl>;

/**
 * Gives messages to sessions. A message is stored, then sent. Where the session does not answer, the message stays stored: the
 * engine workers deliver it (worker/message-sweep.ts), and the caller gets a receipt that says so.
 */
export function createMessageControl(parts: { store: Store; temporal: Client }) {
  const { store } = parts;
  const delivery = createMessageDelivery(parts);

  /** Messages without a key, by session and request, while nobody knows whether they are stored. */
  const lostMessages = new Map<string, string>();

  /** Stores the message. Where the answer of the database is lost, the same request that comes again is the same message. */
  async function create(message: NewMessage, hasKey: boolean): Promise<{ message: MessageRow; isNew: boolean }> {
    const { sessionId, requestHash } = message;
    const name = `${sessionId} ${requestHash}`;
    const messageId = (hasKey ? undefined : lostMessages.get(name)) ?? message.messageId;
    try {
      const created = await fromStore(() => store.controlMessages.create({ ...message, messageId }, MESSAGE_TAKEN_MS));
      lostMessages.delete(name);
      return created;
    } catch (error) {
      const isLost = error instanceof ClientError && error.kind === 'unavailable';
      if (isLost && !hasKey && lostMessages.size < MOST_LOST) lostMessages.set(name, messageId);
      throw error;
    }
  }

  /** Finds the message that this request repeats: by its key, or, of one that may not be given twice, one that is pending. */
  async function findRepeated(
    sessionId: string,
    name: ControlMessageName,
    requestHash: string,
    key: string | undefined,
  ) {
    if (key !== undefined) return await store.controlMessages.get(messageIdFromKey(sessionId, key));
    return messageDefinition(name).isCumulative === true
      ? null
      : await store.controlMessages.findPending({ sessionId, name, requestHash });
  }

  async function replay(row: SessionRow, message: MessageRow, requestHash: string): Promise<MessageReceipt> {
    if (message.requestHash !== requestHash)
      throw keyReused(`message ${message.messageId} of session ${row.sessionId}`);
    if (message.state === 'pending') await delivery.deliverPending(row);
    const now =
      message.state === 'pending' ? await fromStore(() => store.controlMessages.get(message.messageId)) : message;
    return receiptOf(row, now ?? message, true);
  }

  async function sendMessage(
    session: string,
    { name, request = null, prepare }: MessageRequest,
    { idempotencyKey }: IdempotencyOptions = {},
  ): Promise<MessageReceipt> {
    const key = idempotencyKey === undefined ? undefined : parseIdempotencyKey(idempotencyKey);
    const row = await fromStore(() => requireSessionRow(store, session));
    const { sessionId } = row;
    const requestHash = hashOf(name, request);
    const repeated = await fromStore(() => findRepeated(sessionId, name, requestHash, key));
    if (repeated !== null) return await replay(row, repeated, requestHash);
    // First: what it refuses says more than that the session has ended.
    const input = prepare === undefined ? request : await prepare(row);
    if (isEnded(row))
      throw wrongState({ sessionId, verb: messageDefinition(name).verb, status: row.status, isEnded: true });
    const deadline = Date.now() + SERVICE_DEADLINES.update;
    const messageId = key === undefined ? randomUUID() : messageIdFromKey(sessionId, key);
    const { message, isNew } = await create({ messageId, sessionId, name, requestHash, input }, key !== undefined);
    if (!isNew) return await replay(row, message, requestHash);
    faultPoint('after-message', sessionId);
    if (!(await delivery.deliverPending(row, { before: messageId, deadline }))) {
      await fromStore(() => store.controlMessages.release(messageId));
      return receiptOf(row, message, false);
    }
    return receiptOf(row, (await delivery.send(row, message, deadline)) ?? message, false);
  }

  return {
    sendMessage,
    messages: (name: string): Promise<ControlMessage[]> =>
      fromStore(async () => store.controlMessages.ofSession((await requireSessionRow(store, name)).sessionId)),
    message: (name: string, messageId: string): Promise<ControlMessage> =>
      fromStore(async () => {
        const { sessionId } = await requireSessionRow(store, name);
        const message = await store.controlMessages.get(messageId);
        if (message?.sessionId !== sessionId)
          throw notFound(`There is no message ${messageId} in session ${sessionId}.`);
        const { input: _input, requestHash: _hash, ...shown } = message;
        return shown;
      }),
  };
}

function hashOf(name: ControlMessageName, request: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([name, request]))
    .digest('hex');
}

/** Throws the refusal of a message that the session has refused. */
function receiptOf(row: SessionRow, message: MessageRow, isReplayed: boolean): MessageReceipt {
  const { messageId, answer, refusal } = message;
  const { sessionId, status, plan } = row;
  if (refusal !== undefined) throw toError(refusal, isReplayed);
  if (answer !== undefined) return { ...answer, sessionId, messageId, messageState: 'applied', isReplayed };
  const reason =
    `The message is stored. Session ${sessionId} does not answer now and gets it as soon as Temporal and a worker run ` +
    '(`npx surefoot worker` starts one); the message shows what became of it.';
  const known = { status, pauseRequested: false, totalSteps: plan.steps.length };
  return { ...known, sessionId, messageId, messageState: 'pending', reason, isReplayed };
}

function toError({ code, message, issues, state }: MessageRefusal, isReplayed: boolean): ClientError {
  const more = { isReplayed, ...(issues === undefined ? {} : { issues }), ...(state === undefined ? {} : { state }) };
  return new ClientError(state === undefined ? 'invalid' : 'wrong-state', code as ClientError['code'], message, more);
}
