import type { ReplyMessage, TurnKey } from '../../../store/models/messages';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import type { TurnResult } from '../../../contracts/model-port/port';
import { NO_USAGE } from '../models/calls/language-call';
import type { GeneratedCall } from '../../../contracts/model-port/language-model';
import { responseIdOf, toReply } from './model-reply';
import { startRecord } from './turn-records';

/** Who opens the address of a task. */
export const OPENED_BY = 'engine';

/** What is said in place of a model. */
interface OwnReply extends Pick<ReplyMessage, 'isGivenUp' | 'sighting' | 'replayed'>, Pick<TurnResult, 'raw'> {
  /** Who says it, as the model of the reply. */
  by: string;
  text: string;
  calls: readonly GeneratedCall[];
}

/** Saves a reply that no model gives: its calls are planned, approved, journaled and run as any others. */
export async function saveOwnReply(
  store: Store,
  { sessionId, stepIndex, turn }: TurnKey,
  { by, text, calls, isGivenUp, raw, ...more }: OwnReply,
  { activityId, attempt, runId }: Pick<ActivityCall, 'activityId' | 'attempt' | 'runId'>,
): Promise<ReplyMessage> {
  const place = { sessionId, stepIndex, turn };
  const id = `${activityId}.${attempt}`;
  const response = { responseId: responseIdOf(place, id), previousResponseId: '' };
  const start = (isRestart: boolean) => startRecord(place, id, { ...response, model: by, isRestart });
  await store.messages.begin(place, { runId }, { first: start(false), again: start(true) });
  await store.messages.save(place, {
    ...toReply(place, {
      text,
      thoughts: '',
      functionCalls: [...calls],
      stopReason: calls.length > 0 ? 'tool_calls' : 'end_turn',
      usage: NO_USAGE,
      model: by,
      ...(raw === undefined ? {} : { raw }),
      ...(isGivenUp === undefined ? {} : { isGivenUp }),
    }),
    ...response,
    ...more,
    usage: NO_USAGE,
  });
  // An attempt that was taken for dead may have been faster: its reply counts.
  return (await store.messages.reply(place))!;
}
