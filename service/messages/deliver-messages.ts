import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { bytesOf } from '../../contracts/json';
import { INLINE_BYTES, toCarriedStep } from '../../contracts/sessions/carried-steps';
import type { CarriedAnswer } from '../../contracts/approvals/asked-secret';
import { namedOrigins } from '../../contracts/sessions/given-origins';
import type { CarriedAddition } from '../../contracts/messages/added-steps';
import type { AddStepsRequest } from '../../contracts/sessions/start-request';
import { toSteps } from '../../contracts/sessions/to-steps';
import type { Accepted } from '../../contracts/messages/accepted';
import type { MessageRefusal } from '../../contracts/messages/control-message';
import { messageDefinition, type ControlMessageName } from '../../contracts/messages/messages';
import { faultPoint } from '../../runtime/fault-point';
import type { MessageRow } from '../../store/messages/control-messages';
import type { Store } from '../../store/store';
import { SERVICE_DEADLINES } from '../connection/deadlines';
import { fromStore } from '../connection/store-errors';
import { toClientError } from '../connection/temporal-errors';
import type { SealedAnswer } from './seal-answer';
import { ClientError } from '../port/port';
import { isEnded, requireSessionRow } from '../rows/session-row';

/** Longer than the deadline of the update: whoever takes the message next is the only one that sends it. */
export const MESSAGE_TAKEN_MS = 3 * SERVICE_DEADLINES.update;

/** Between two looks at an older message that somebody else is sending. */
const TAKEN_POLL_MS = 50;

export interface AddressedSession {
  sessionId: string;
  workflowId: string;
}

/** Sends stored messages to their workflows, with the id of the message as the id of the update, and records what they answer. */
export function createMessageDelivery({ store, temporal }: { store: Store; temporal: Client }) {
  /** Sends a message that the caller has taken. Resolves to null where the session did not answer: the message stays pending. */
  async function send({ sessionId, workflowId }: AddressedSession, message: MessageRow, deadline: number) {
    const { messageId, name, input } = message;
    const handle = temporal.workflow.getHandle(workflowId);
    try {
      const args = (input === null ? [] : [await toMessage(sessionId, message)]) as [unknown];
      const answer = await temporal.withDeadline(deadline, () =>
        handle.executeUpdate<Accepted, [unknown]>(name, { updateId: messageId, args }),
      );
      faultPoint('before-settle', sessionId);
      return await fromStore(() => store.controlMessages.settle(messageId, { state: 'applied', answer }));
    } catch (error) {
      const refusal = await refusalOf(sessionId, name, error);
      if (refusal !== undefined)
        return await fromStore(() => store.controlMessages.settle(messageId, { state: 'refused', refusal }));
      await fromStore(() => store.controlMessages.release(messageId));
      return null;
    }
  }

  /** Steps that are too large for a message go by reference to the message, and so does what is secret. */
  async function toMessage(sessionId: string, { messageId, name, input }: MessageRow): Promise<unknown> {
    if (messageDefinition(name).secretMember !== undefined) {
      const { questionId, isFromMailbox } = input as SealedAnswer;
      return { messageId, questionId, ...(isFromMailbox && { isFromMailbox }) } satisfies CarriedAnswer;
    }
    if (name !== 'addSteps' || bytesOf(input) <= INLINE_BYTES) return input;
    const { plan } = await fromStore(() => requireSessionRow(store, sessionId));
    const { steps: inputs } = input as AddStepsRequest;
    const steps = toSteps(inputs, plan.config).map((step, index) => toCarriedStep(step, { messageId, index }));
    return { messageId, steps, named: namedOrigins(inputs, plan.variables) } satisfies CarriedAddition;
  }

  /** Why the session will never apply the message; undefined where it may be sent again. Throws what nobody expects. */
  async function refusalOf(
    sessionId: string,
    name: ControlMessageName,
    error: unknown,
  ): Promise<MessageRefusal | undefined> {
    const row = await fromStore(() => requireSessionRow(store, sessionId));
    const context = { sessionId, verb: messageDefinition(name).verb, status: row.status, isEnded: isEnded(row) };
    const known = toClientError(error, context);
    if (!(known instanceof ClientError)) throw known;
    // An update that has failed fails again, for whatever reason.
    if (known.kind === 'unavailable' && !(error instanceof WorkflowUpdateFailedError)) return undefined;
    const { code, message, issues, state } = known;
    return {
      code,
      message,
      ...(issues.length === 0 ? {} : { issues: [...issues] }),
      ...(known.kind === 'invalid' ? {} : { state: state ?? row.status }),
    };
  }

  return {
    send,
    /**
     * Delivers what a session was given and nobody is sending, oldest first; with `before`, only what is older than that
     * message. Resolves to false at the first message that the session does not answer in time.
     */
    async deliverPending(
      session: AddressedSession,
      { before, deadline = Date.now() + SERVICE_DEADLINES.update }: { before?: string; deadline?: number } = {},
    ): Promise<boolean> {
      for (;;) {
        const message = await fromStore(() => store.controlMessages.take(session.sessionId, MESSAGE_TAKEN_MS, before));
        if (message === null) {
          // Nothing overtakes an older message: whoever sends it may have died, and it is free again when its time is over.
          if (
            before === undefined ||
            !(await fromStore(() => store.controlMessages.hasPending(session.sessionId, before)))
          )
            return true;
          if (Date.now() > deadline) return false;
          await sleep(TAKEN_POLL_MS);
          continue;
        }
        if ((await send(session, message, deadline)) === null) return false;
      }
    },
  };
}
