import type { StepGoal } from '../../../contracts/sessions/step-input';
import type { StoredMessage, SummaryMessage, TurnKey } from '../../../store/models/messages';
import type { Store } from '../../../store/store';
import type { PromptMessage, PromptPart } from '../../../contracts/model-port/language-model';
import type { Model, TurnOptions } from '../../../contracts/model-port/port';
import { fence } from '../models/prompts/decision';
import { ProviderError } from '../models/providers/provider-error';
import { toPromptMessages, type ConversationView } from './conversation';
import { mechanicalSummary, olderPart, transcriptOf, type HistoryLimits } from './history';
import { taskText } from '../models/prompts/task';
import { storable } from './storable';

export interface ConversationContext {
  store: Store;
  turn: TurnKey;
  step: StepGoal;
  /** The address of the task was opened for the model. */
  isOpened: boolean;
  /** Of variables and secrets. */
  names: readonly string[];
  model: Model;
  limits: HistoryLimits;
  nonce: string;
  /** The model has its vendor's own tool, which wants its calls back as they were. */
  hasVendorTool: boolean;
  pictures: ReadonlyMap<string, PromptPart[]>;
}

/** The conversation as the model gets it. What exceeds the limits is summarized first, once for all later turns. */
export async function buildModelMessages(
  context: ConversationContext,
  { share, ...sizes }: Pick<ConversationView, 'fullResults' | 'keepsPage' | 'resultLimit'> & { share: number },
  options: TurnOptions,
): Promise<{ messages: PromptMessage[]; previousResponseId: string }> {
  const { store, turn, limits, nonce } = context;
  // When there is too little capacity, pictures are left out first.
  const pictures = share === 1 ? context.pictures : new Map<string, PromptPart[]>();
  const isFolded = !context.hasVendorTool;
  const view: ConversationView = { nonce, ...sizes, pictures, isFolded, hasImages: share === 1 };
  const { summary, messages } = await store.messages.conversation(turn.sessionId);
  const last = messages.findLast((message) => message.kind === 'reply');
  const shared = { size: limits.size * share, tokens: limits.tokens * share };
  const count = olderPart(messages, view, shared);
  const current = count === 0 ? summary : await summarize(context, messages.slice(0, count), summary, options);
  const rest = messages.slice(count);
  return {
    messages: beginWithUser(toPromptMessages(rest, openingText(context, current, rest), view)),
    previousResponseId: last?.responseId ?? '',
  };
}

/** Vendors take no conversation that the model begins, as a given history may: a greeting. */
function beginWithUser(messages: PromptMessage[]): PromptMessage[] {
  if (messages[0]?.role !== 'model') return messages;
  return [{ role: 'user', parts: [{ kind: 'text', text: '(The conversation begins with your words.)' }] }, ...messages];
}

/** Summarizes by the model that is asked, or mechanically when that gives no summary. */
async function summarize(
  { store, turn: key, model, nonce }: ConversationContext,
  older: readonly StoredMessage[],
  before: SummaryMessage | null,
  options: TurnOptions,
): Promise<SummaryMessage> {
  const transcript = fence('conversation', transcriptOf(older, before?.text), nonce);
  const written = await model.summarize?.(transcript, options).catch((error: unknown) => {
    // A failure that a retry may cure is retried like that of every call.
    if (error instanceof ProviderError && error.more.isFinal === true && error.code !== 'AI002') return undefined;
    throw error;
  });
  const text = written === undefined || written.trim() === '' ? mechanicalSummary(older, before?.text) : written;
  const { stepIndex, turn, kind } = older.at(-1)!;
  const summary: SummaryMessage = { kind: 'summary', text: storable(text), covers: { stepIndex, turn, kind } };
  await store.messages.save(key, summary);
  return summary;
}

/** The summary, and the task in its own words when its message is among those that were summarized. */
function openingText(
  { turn, step, names, nonce, isOpened }: ConversationContext,
  summary: SummaryMessage | null,
  rest: readonly StoredMessage[],
): string | undefined {
  if (summary === null) return undefined;
  const hasTask = rest.some((each) => each.kind === 'task' && each.stepIndex === turn.stepIndex && each.turn === 0);
  const text = `What was said and done before, summed up:\n${fence('summary', summary.text, nonce)}`;
  return hasTask ? text : `${text}\n\nThe task:\n${taskText(step, names, { isOpened })}`;
}
