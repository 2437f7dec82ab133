import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { NewRecord } from '../../../contracts/events/log';
import { faultPoint } from '../../../runtime/fault-point';
import { StoreRefusal } from '../../../store/database/refusals';
import type { CommandIntent, KeyClaim } from '../../../store/journal/intent';
import { EngineError } from '../../activity/failures';
import { AnswerNeededError, withAnswers } from './asked-answers';
import { guardOf, type BatchCommand, type BatchContext, type NextIntent } from './batch-context';
import { commandRecords } from '../../recorded/command-records';
import { KeyHeld, type OnceKeys } from './once-keys';
import { prepare, type PreparedCommand } from './prepare';

/** An intent with the records that are written with it. */
export interface IntentWrite {
  intent: CommandIntent;
  records: NewRecord[];
}

/** True for a command that may be repeated: it needs no delivery marker, so its intent may precede its preparation. */
export function isRepeatable({ action }: PlannedCommand): boolean {
  return EFFECT_CLASS[action] !== 'commit';
}

/** A person may be asked for days: no intent is open meanwhile. */
export function mayPrecedePreparation({ values }: BatchContext, command: PlannedCommand): boolean {
  return isRepeatable(command) && !values.asksPerson(command.parameters);
}

/**
 * Prepares a command and writes its intent, unless that was written with the outcome before it. Searching for the
 * element changes nothing, so it does not wait for the intent; a commit's delivery marker is armed before its intent is
 * written, so that an intent without a marker means that the document is gone. Rejects when the store refuses the intent;
 * a command that could not be prepared is a settled result.
 */
export async function writeIntent(
  context: BatchContext,
  { command, position }: BatchCommand,
  pageUrl: string,
  previous: NextIntent,
  signal: AbortSignal,
): Promise<PromiseSettledResult<PreparedCommand>> {
  const { store, sessionId } = context;
  const isCommit = !isRepeatable(command);
  const keys = isCommit ? context.idempotencyKeys : undefined;
  let doneAlready: EngineError | undefined;
  const write = async (isPrepared: boolean): Promise<string | undefined> => {
    if ((await previous.written) === command.commandId) return undefined;
    const idempotencyKey = await keys?.keyOf(command);
    faultPoint('before-intent', sessionId);
    const { intent, records } = toIntent(context, command, position, pageUrl);
    const intend = (change: Partial<CommandIntent>) =>
      store.journal.intend(sessionId, guardOf(context), { ...intent, idempotencyKey, ...change }, records);
    // Where nothing is going to be done: nobody has to find out what became of it, should this worker and its Chrome go.
    const effect = isPrepared ? intent.effect : 'pure';
    if (!isCommit || context.once === undefined) await intend({ effect });
    else {
      const claim = (once?: KeyClaim) => intend({ effect, once });
      doneAlready = await claimOnce(context.once, context.attachment.page.url(), claim);
      if (doneAlready !== undefined) await intend({ effect: 'pure' });
    }
    return idempotencyKey;
  };
  const preparing = prepare(context, command, signal).then((ready) => withAnswers(context, command, ready));
  const writeUnlessAsking = (error: unknown) => (error instanceof AnswerNeededError ? undefined : write(false));
  const [prepared, written] = await Promise.allSettled([
    preparing,
    mayPrecedePreparation(context, command) ? write(true) : preparing.then(() => write(true), writeUnlessAsking),
    previous.captured,
  ]);
  if (prepared.status === 'rejected' && prepared.reason instanceof AnswerNeededError) throw prepared.reason;
  if (written.status === 'rejected') throw written.reason;
  faultPoint('after-intent', sessionId);
  if (doneAlready !== undefined) return { status: 'rejected', reason: doneAlready };
  if (written.value !== undefined && prepared.status === 'fulfilled') await keys?.begin(written.value);
  if (prepared.status === 'fulfilled' && prepared.value.deed !== undefined)
    await context.deeds.begin(prepared.value.deed);
  return prepared;
}

/** Writes an intent with its key; resolves to why the command is not done, where somebody else has. Throws KeyHeld. */
async function claimOnce(
  once: OnceKeys,
  pageUrl: string,
  intend: (claim?: KeyClaim) => Promise<void>,
): Promise<EngineError | undefined> {
  try {
    await intend(once.claim(pageUrl));
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error;
    if (!(error instanceof StoreRefusal) || error.reason !== 'key-held') throw error;
    const held = once.held(error);
    if (held instanceof KeyHeld) throw held;
    return held;
  }
}

export function toIntent(
  context: BatchContext,
  command: PlannedCommand,
  position: number,
  pageUrl: string,
): IntentWrite {
  const { stepIndex, turn, values } = context;
  const { commandId, action, parameters, target } = command;
  const intent: CommandIntent = {
    commandId,
    stepIndex,
    turn,
    position,
    action,
    parameters,
    effect: EFFECT_CLASS[action],
    target: target && { ...target },
    pageUrl: values.redact(pageUrl),
  };
  return { intent, records: [commandRecords(context, command).started()] };
}
