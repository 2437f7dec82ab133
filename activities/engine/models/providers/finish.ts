import type { Generation, GenerationRequest, RawReply } from '../../../../contracts/model-port/language-model';
import { ProviderError, type ProviderErrorKind } from './provider-error';

/** Why an answer ended: `stop` is complete, any other reason is the kind of an error. */
export type Finish = 'stop' | keyof typeof PROBLEMS;

const PROBLEMS = {
  truncated: 'gave an answer that is longer than maxTokens allows',
  'malformed-call': "wrote a function call that can't be read",
  recitation: 'stopped because its answer recited a source',
  blocked: 'stopped because of its safety rules',
  empty: 'gave no usable answer',
  cut: 'ended its stream without a reason',
} as const satisfies Partial<Record<ProviderErrorKind, string>>;

type Received = Pick<Generation, 'text' | 'thoughts' | 'functionCalls' | 'usage' | 'model'> & { raw: RawReply };

/**
 * Makes the result of a call of `name` from what its stream brought. Throws a ProviderError for an answer that can't be
 * used; `vendorReason` is the finish reason in the vendor's words. In a conversation a truncated answer can be used.
 */
export function toGeneration(
  name: string,
  { kind }: GenerationRequest['answer'],
  { raw, ...received }: Received,
  finish: Finish,
  vendorReason: string | undefined,
): Generation {
  const { text, functionCalls, usage } = received;
  const isConversation = kind === 'tools';
  const isEmpty = text === '' && functionCalls.length === 0;
  const isTruncated = isConversation && finish === 'truncated' && !isEmpty;
  if (finish !== 'stop' && !isTruncated) {
    const reason = vendorReason === undefined ? '' : ` (${vendorReason})`;
    throw new ProviderError(finish, `${name} ${PROBLEMS[finish]}${reason}.`, { usage });
  }
  if (isEmpty && !isConversation) throw new ProviderError('empty', `${name} gave an empty answer.`, { usage });
  return {
    ...received,
    stopReason: isTruncated ? 'max_tokens' : functionCalls.length > 0 ? 'tool_calls' : 'end_turn',
    ...(isConversation ? { raw } : {}),
  };
}
