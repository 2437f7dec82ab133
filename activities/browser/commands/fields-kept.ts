import { isSafe } from '../../../contracts/browsers/safe-methods';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { EngineError } from '../../activity/failures';
import type { FilledField } from '../attach/filled-fields';
import type { KeeperClient } from '../attach/keeper-client';
import { gotEventsUnarmed } from '../targets/delivery-marker';
import { guardOf, type BatchContext } from './batch-context';
import { CommitUnansweredError } from './commit-unanswered';

type Keeper = () => Promise<KeeperClient>;

/** Refuses a commit where the page was loaded anew by itself and has lost what was filled in for it. */
export async function assertFieldsKept(
  context: BatchContext,
  keeper: Keeper,
  { action }: PlannedCommand,
): Promise<void> {
  const { filled, page, watch } = context.attachment;
  if (!filled.isEmpty && watch.isNavigating()) await watch.settle(page, context.signal);
  const lost = await lostFields(context, keeper);
  if (lost.length === 0) return;
  const names = await markLost(context, lost);
  throw new EngineError(
    'EX002',
    `The page was loaded anew by itself after ${names} had been filled in, and does not hold that any more. ${action} was not done.`,
    { suggestedAction: 'Fill it in again, in the same step as what sends it.' },
  );
}

/** The page may also be loaded anew between that check and the event: it then went to a document without what was filled in. */
export async function assertSentWithFields(
  context: BatchContext,
  keeper: Keeper,
  command: PlannedCommand,
): Promise<void> {
  const { filled, page } = context.attachment;
  const lost = await lostFields(context, keeper);
  filled.clear();
  if (lost.length === 0 || !(await gotEventsUnarmed(page, command))) return;
  const names = await markLost(context, lost);
  throw new CommitUnansweredError(
    `The page was loaded anew by itself just before ${command.action}, and may have sent it without what had been filled in: ${names}.`,
  );
}

/** A field that has posted its form, such as a list that acts when it is chosen from, was not lost: it was sent. */
async function lostFields({ attachment, sessionId }: BatchContext, keeper: Keeper): Promise<FilledField[]> {
  const { filled, page, watch, browserId } = attachment;
  const lost = await filled.lostOn(page, watch.loadsOf(page));
  const [first] = lost;
  if (first === undefined) return lost;
  const { requests } = await (await keeper()).evidence(sessionId, first.at, browserId);
  const sentAt = requests.flatMap(({ at, method, resourceType }) =>
    resourceType === 'Document' && !isSafe(method) ? [Date.parse(at)] : [],
  );
  return lost.filter((field) => !sentAt.some((at) => at >= field.at.getTime()));
}

async function markLost(context: BatchContext, lost: readonly FilledField[]): Promise<string> {
  const ids = lost.map(({ commandId }) => commandId);
  await context.store.journal.markLost(context.sessionId, guardOf(context), ids, 'document');
  return lost.map(({ name }) => `“${name}”`).join(' and ');
}
