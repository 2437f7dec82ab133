import type { ReplyMessage, StoredMessage } from '../../../store/models/messages';
import { charactersOf, PICTURE_TOKENS, picturesIn, tokensOf } from '../models/calls/language-call';
import type { PromptMessage } from '../../../contracts/model-port/language-model';
import { freshFrom, toPromptMessages, type ConversationView } from './conversation';
import { oneLine } from '../../../contracts/text';

/** The most messages and tokens of a conversation that a model gets. */
export interface HistoryLimits {
  size: number;
  tokens: number;
}

/**
 * How many of the oldest messages are to be summarized; 0 when all fit. The cut is before a message of the agent or the
 * person, so that no call loses its result. It leaves half of the limits free, because each cut costs a model call and the
 * prefix that vendors have cached.
 */
export function olderPart(messages: readonly StoredMessage[], view: ConversationView, limits: HistoryLimits): number {
  const weights = weightsOf(messages, view);
  const left = (from: number): number => weights.slice(from).reduce((sum, weight) => sum + weight, 0);
  if (messages.length <= limits.size && left(0) <= limits.tokens) return 0;
  const cuts = messages.flatMap(({ kind }, index) => (index > 0 && kind !== 'results' ? [index] : []));
  const fits = (from: number): boolean => messages.length - from <= limits.size / 2 && left(from) <= limits.tokens / 2;
  // The last of them leaves the newest calls with their results, or the person's newest words.
  return cuts.find(fits) ?? cuts.at(-1) ?? 0;
}

/** The approximate tokens of each message. */
function weightsOf(messages: readonly StoredMessage[], view: ConversationView): number[] {
  const fresh = freshFrom(messages, view);
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const isAnswer = message.kind === 'results' && before?.kind === 'reply';
    const from = (first: number): number => (index >= first ? 0 : Infinity);
    const prompt = toPromptMessages(isAnswer ? [before, message] : [message], undefined, view, {
      results: from(fresh.results),
      pages: from(fresh.pages),
      unfolded: 0,
    });
    return tokensIn(prompt.slice(isAnswer ? 1 : 0));
  });
}

function tokensIn(messages: readonly PromptMessage[]): number {
  const characters = messages.reduce((sum, message) => sum + charactersOf(message), 0);
  return tokensOf(characters) + picturesIn(messages) * PICTURE_TOKENS;
}

const LONGEST_TRANSCRIPT = 60_000;
const MOST_LINES = 80;

/** A part of a conversation for the model that summarizes it; only the newest of it when it is too long. */
export function transcriptOf(messages: readonly StoredMessage[], before: string | undefined): string {
  const lines = linesOf(messages, { words: 2000, args: 300, result: 1200 });
  const known = before === undefined ? '' : `Summed up before: ${before}\n`;
  const text = lines.join('\n');
  // The facts of the summary before stand nowhere else.
  const room = Math.max(0, LONGEST_TRANSCRIPT - known.length);
  return text.length <= room ? `${known}${text}` : `${known}(the beginning is left out)\n${text.slice(-room)}`;
}

/** A summary without a model: who said and called what, and the result, a line each. */
export function mechanicalSummary(messages: readonly StoredMessage[], before: string | undefined): string {
  const lines = linesOf(messages, { words: 300, args: 120, result: 120 });
  const all = [...(before?.split('\n') ?? []), ...lines];
  const left = all.length - MOST_LINES;
  return left > 0 ? [`(${left} earlier lines are left out)`, ...all.slice(-MOST_LINES)].join('\n') : all.join('\n');
}

function linesOf(messages: readonly StoredMessage[], most: { words: number; args: number; result: number }): string[] {
  let open: ReplyMessage | undefined;
  return messages.flatMap((message): string[] => {
    switch (message.kind) {
      case 'task':
        return [`Person: ${oneLine(message.text, most.words)}`];
      case 'reply': {
        open = message;
        const { text, calls } = message;
        return [
          ...(text === '' ? [] : [`Agent: ${oneLine(text, most.words)}`]),
          ...calls.map(({ name, args }) => `Agent calls ${name} ${oneLine(args, most.args)}`),
        ];
      }
      case 'results':
        return message.results.map(({ end: { callId, status }, text }) => {
          const name = open?.calls.find((each) => each.callId === callId)?.name ?? 'the call';
          return `${name} (${status}): ${oneLine(text, most.result)}`;
        });
      case 'summary':
        return [];
    }
  });
}
