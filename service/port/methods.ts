import { isByApproval, type MessageByApproval } from '../../contracts/messages/message-path';
import {
  CONTROL_MESSAGE_NAMES,
  hasInput,
  type ControlMessageName,
  type MessageInput,
} from '../../contracts/messages/messages';
import type { IdempotencyOptions, MessageReceipt } from './receipt';

type Options = [options?: IdempotencyOptions];
type Given<Input> = Input extends undefined
  ? Options
  : object extends Input
    ? [input?: Input, ...Options]
    : [input: Input, ...Options];

/** A method for each message: `pause(sessionId)`, `addSteps(sessionId, { steps })`, `decideApproval({ approvalId, … })`. */
export type MessageMethods = {
  [N in ControlMessageName]: N extends MessageByApproval
    ? (...given: Given<MessageInput<N>>) => Promise<MessageReceipt>
    : (sessionId: string, ...given: Given<MessageInput<N>>) => Promise<MessageReceipt>;
};

/** Sends a message to a session, or to that of the approval which its input names. The input is checked. */
export type SendMessage = (
  name: ControlMessageName,
  session: string | undefined,
  input: unknown,
  options?: IdempotencyOptions,
) => Promise<MessageReceipt>;

export function messageMethods(send: SendMessage): MessageMethods {
  return Object.fromEntries(
    CONTROL_MESSAGE_NAMES.map((name) => [name, methodOf(name, send)]),
  ) as unknown as MessageMethods;
}

function methodOf(name: ControlMessageName, send: SendMessage) {
  if (isByApproval(name))
    return (input: unknown, options?: IdempotencyOptions) => send(name, undefined, input, options);
  if (!hasInput(name))
    return (session: string, options?: IdempotencyOptions) => send(name, session, undefined, options);
  return (session: string, input?: unknown, options?: IdempotencyOptions) => send(name, session, input, options);
}
