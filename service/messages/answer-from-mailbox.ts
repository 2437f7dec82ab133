import type { AnswerSecretRequest } from '../../contracts/approvals/asked-secret';
import type { Store } from '../../store/store';
import { ClientError } from '../port/port';
import { sealAnswer } from './seal-answer';
import type { MessageControl } from './send-message';

/** Gives a session the answer that was found in its mailbox, as a person gives one: the first answer counts, and one is given once. */
export function answerFromMailbox(store: Store, { sendMessage }: Pick<MessageControl, 'sendMessage'>) {
  return async (sessionId: string, answer: Required<AnswerSecretRequest>): Promise<void> => {
    const { questionId } = answer;
    try {
      await sendMessage(
        sessionId,
        {
          name: 'answerSecret',
          request: { questionId, isFromMailbox: true },
          prepare: async (row) => {
            const sealed = sealAnswer(store, row, answer);
            return sealed && { ...sealed, isFromMailbox: true };
          },
        },
        { idempotencyKey: `mailbox ${questionId}` },
      );
    } catch (error) {
      // A person was first, or the question has ended.
      if (!(error instanceof ClientError) || error.kind !== 'wrong-state') throw error;
    }
  };
}
