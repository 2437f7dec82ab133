import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { EngineError } from '../../activity/failures';
import type { FilledField } from '../attach/filled-fields';
import { gotEventsUnarmed } from '../targets/delivery-marker';
import { guardOf, type BatchContext } from './batch-context';
import { CommitUnansweredError } from './commit-unanswered';

/** Refuses a commit where the page was loaded anew by itself and has lost what was filled in for it. */
export async function assertFieldsKept(context: BatchContext, { action }: PlannedCommand): Promise<void> {
  const { filled, page, watch } = context.attachment;
  if (!filled.isEmpty && watch.isNavigating()) await watch.settle(page, context.signal);
  const lost = await lostFields(context);
  if (lost.length === 0) return;
  const names = await markLost(context, lost);
  throw new EngineError(
    'EX002',
    `The page was loaded anew by itself after ${names} had been filled in, and does not hold that any more. ${action} was not done.`,
    { suggestedAction: 'Fill it in again, in the same step as what sends it.' },
  );
}

/** The page may also be loaded anew between that check and the event: it then went to a document without what was filled in. */
export async function assertSentWithFields(context: BatchContext, command: PlannedCommand): Promise<void> {
  const { filled, page } = context.attachment;
  const lost = await lostFields(context);
  filled.clear();
  if (lost.length === 0 || !(await gotEventsUnarmed(page, command))) return;
  const names = await markLost(context, lost);
  throw new CommitUnansweredError(
    `The page was loaded anew by itself just before ${command.action}, and may have sent it without what had been filled in: ${names}.`,
  );
}

async function lostFields({ attachment: { filled, page, watch } }: BatchContext): Promise<FilledField[]> {
  return await filled.lostOn(page, watch.loadsOf(page));
}

async function markLost(context: BatchContext, lost: readonly FilledField[]): Promise<string> {
  const ids = lost.map(({ commandId }) => commandId);
  await context.store.journal.markLost(context.sessionId, guardOf(context), ids, 'document');
  return lost.map(({ name }) => `“${name}”`).join(' and ');
}
