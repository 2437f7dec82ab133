import type { AnswerSecretRequest, CarriedAnswer } from '../../contracts/approvals/asked-secret';
import type { AddedSteps } from '../../contracts/messages/added-steps';
import type { ControlMessageName, MessageInput } from '../../contracts/messages/messages';
import type { SessionRun } from '../sessions/session-run';

/** What a message brings to the workflow. */
type Carried<N extends ControlMessageName> = N extends 'addSteps'
  ? AddedSteps
  : N extends 'answerSecret'
    ? AnswerSecretRequest | CarriedAnswer
    : MessageInput<N>;

/** What the workflow does with a message. The session has not ended, and the input is valid. */
interface MessageHandler<Input> {
  /** Names the state in which the session can't take it; undefined where it can. Reads only. */
  obstacle?(run: SessionRun, input: Input): string | undefined;
  apply(run: SessionRun, input: Input): void | Promise<void>;
}

/** A handler for each of the messages. */
export type MessageHandlers<N extends ControlMessageName> = { readonly [Each in N]: MessageHandler<Carried<Each>> };
