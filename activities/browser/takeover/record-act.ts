import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { CommandIntent } from '../../../store/journal/intent';
import { EngineError, toStandardError } from '../../activity/failures';
import { guardOf, type ActPlace } from './act-context';
import { actRecords } from './act-records';
import type { PlannedAct } from './plan-act';

/** Writes the intent of an act, which removes it: no other attempt does it again. */
export async function beginAct(
  place: ActPlace,
  { number, planned, pageUrl }: { number: number; planned: PlannedAct; pageUrl: string },
): Promise<CommandIntent> {
  const { store, sessionId, stepIndex, takeoverId } = place;
  const intent: CommandIntent = {
    commandId: `person.${takeoverId}.${number}`,
    ...planned,
    stepIndex,
    turn: 0,
    position: number,
    target: planned.target && { ...planned.target },
    effect: EFFECT_CLASS[planned.action],
    pageUrl,
    by: 'person',
    act: { takeoverId, number },
  };
  await store.journal.intend(sessionId, guardOf(place), intent, [actRecords(intent).started()]);
  return intent;
}

/** Ends what an earlier worker has begun and not recorded: nobody knows whether it happened, and it is not repeated. */
export async function closeLostActs(place: ActPlace): Promise<void> {
  const { store, sessionId, stepIndex } = place;
  for (const entry of await store.journal.ofPersons(sessionId, stepIndex)) {
    if (entry.status !== 'intended') continue;
    const message =
      'The worker of the browser was lost while a person did this: it may have happened, and is not repeated.';
    await finishAct(place, entry, new EngineError('EX001', message), 'unknown');
  }
}

export async function finishAct(
  place: ActPlace,
  intent: Omit<CommandIntent, 'act'>,
  failure: unknown,
  status: 'failed' | 'unknown' = 'failed',
): Promise<void> {
  const { store, sessionId, stepIndex } = place;
  const { commandId } = intent;
  const records = actRecords(intent);
  const error =
    failure === undefined ? undefined : toStandardError(failure, 'EX001', { sessionId, stepIndex, commandId });
  await store.journal.finish(
    sessionId,
    guardOf(place),
    {
      commandId,
      status: error === undefined ? 'done' : status,
      response: { success: error === undefined, commandId, screenshotId: '', duration: 0, ...(error && { error }) },
      error,
    },
    [error === undefined ? records.completed() : records.failed(error)],
  );
}
