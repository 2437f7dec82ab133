import type { AnswerSecretRequest } from '../../contracts/approvals/asked-secret';
import { webOriginOf } from '../../contracts/browsers/origins';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { invalid } from '../connection/invalid';
import { ClientError } from '../port/port';
import { isEnded } from '../rows/session-row';

/** What the message of an answer keeps. */
export interface SealedAnswer {
  questionId: string;
  alias: string;
  sealed: string;
  isFromMailbox?: true;
}

/** Seals an answer for the question that the session asks now. Throws where it asks no such question, or wants another value. */
export function sealAnswer(
  store: Store,
  row: SessionRow,
  { questionId, value }: AnswerSecretRequest,
): SealedAnswer | undefined {
  const { sessionId, status, waitingFor } = row;
  // The sender says that it has ended, and stores nothing.
  if (isEnded(row)) return undefined;
  const secret = waitingFor?.pausedFor === 'secret' ? waitingFor.secret : undefined;
  if (secret === undefined || (questionId !== undefined && questionId !== secret.questionId)) {
    const asked = secret === undefined ? 'nothing' : `for ${secret.alias}, by the question ${secret.questionId}`;
    const message = `Session ${sessionId} can't be given this answer: it asks ${asked} now. The first answer counts, and the time for one ends.`;
    throw new ClientError('wrong-state', 'SP001', message, { state: status });
  }
  const origin = webOriginOf(value);
  if (secret.as === 'link' && (origin === undefined || !secret.origins.includes(origin))) {
    const message = `expected an address of ${secret.origins.join(', ')}, got ${origin === undefined ? 'no http or https address' : `one of ${origin}`}`;
    throw invalid("The session can't be given this answer", [{ path: 'value', message }]);
  }
  const { alias } = secret;
  return {
    questionId: secret.questionId,
    alias,
    sealed: store.secrets.sealAnswer(sessionId, secret.questionId, value),
  };
}
