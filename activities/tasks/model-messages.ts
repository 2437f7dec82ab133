import type { StepGoal } from '../../contracts/sessions/start-request';
import type { StoredMessage, SummaryMessage, TurnKey } from '../../store/models/messages';
import type { Store } from '../../store/store';
import type { PromptMessage, PromptPart } from '../models/language-model';
import type { Model, TurnOptions } from '../models/port';
import { fence } from '../models/prompts/decision';
import { ProviderError } from '../models/providers/provider-error';
import { toPromptMessages, type ConversationView } from './conversation';
import { mechanicalSummary, olderPart, transcriptOf, type HistoryLimits } from './history';
import { taskText } from './prompts/task';
import { storable } from './storable';

export interface ConversationContext {
  store: Store;
  place: TurnKey;
  step: StepGoal;
  /** Of variables and secrets. */
  names: readonly string[];
  model: Model;
  limits: HistoryLimits;
  nonce: string;
  pictures: ReadonlyMap<string, PromptPart[]>;
}

/** What the model is told of the conversation; what is too much of it is summed up first, and stays so. */
export async function buildModelMessages(
  scene: ConversationContext,
  { fullResults, resultLimit, share }: Pick<ConversationView, 'fullResults' | 'resultLimit'> & { share: number },
  asking: TurnOptions,
): Promise<{ messages: PromptMessage[]; previousResponseId: string }> {
  const { store, place, limits, nonce } = scene;
  // Where there is too little room, a picture is the first to go.
  const pictures = share === 1 ? scene.pictures : new Map<string, PromptPart[]>();
  const telling: ConversationView = { nonce, fullResults, resultLimit, pictures };
  const { summary, messages } = await store.messages.conversation(place.sessionId);
  const last = messages.findLast((message) => message.kind === 'reply');
  const most = { size: limits.size * share, tokens: limits.tokens * share };
  const count = olderPart(messages, telling, most);
  const standing = count === 0 ? summary : await sumUp(scene, messages.slice(0, count), summary, asking);
  const rest = messages.slice(count);
  return {
    messages: toPromptMessages(rest, opening(scene, standing, rest), telling),
    previousResponseId: last?.responseId ?? '',
  };
}

/** By the model that is asked; by rule where it can't, or does not want to. */
async function sumUp(
  { store, place, model, nonce }: ConversationContext,
  older: readonly StoredMessage[],
  before: SummaryMessage | null,
  asking: TurnOptions,
): Promise<SummaryMessage> {
  const transcript = fence('conversation', transcriptOf(older, before?.text), nonce);
  const told = await model.summarize?.(transcript, asking).catch((error: unknown) => {
    // What may go better in a while is tried again like every call.
    if (error instanceof ProviderError && error.more.isFinal === true && error.code !== 'AI002') return undefined;
    throw error;
  });
  const text = told === undefined || told.trim() === '' ? mechanicalSummary(older, before?.text) : told;
  const { stepIndex, turn, kind } = older.at(-1)!;
  const summary: SummaryMessage = { kind: 'summary', text: storable(text), covers: { stepIndex, turn, kind } };
  await store.messages.save(place, summary);
  return summary;
}

/** A task goes on in its own words, however much of it is summed up. */
function opening(
  { place, step, names, nonce }: ConversationContext,
  summary: SummaryMessage | null,
  rest: readonly StoredMessage[],
): string | undefined {
  if (summary === null) return undefined;
  const isTold = rest.some(({ kind, stepIndex }) => kind === 'task' && stepIndex === place.stepIndex);
  const told = `What was said and done before, summed up:\n${fence('summary', summary.text, nonce)}`;
  return isTold ? told : `${told}\n\nThe task:\n${taskText(step, names)}`;
}
