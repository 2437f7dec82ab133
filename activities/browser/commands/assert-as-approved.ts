import type { ApprovedDeed } from '../../../contracts/browsers/approved-request';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { EngineError } from '../../activity/failures';
import { asApproved } from '../approval-view/capture-view';
import { deedOf } from './approved-deeds';
import type { BatchContext } from './batch-context';

/**
 * The page had time to change between the answer and now: an approved command runs on the page that was approved alone.
 * Resolves to what may leave that page while it runs; undefined for a command that nobody was asked about.
 */
export async function assertAsApproved(
  context: BatchContext,
  command: PlannedCommand,
): Promise<ApprovedDeed | undefined> {
  const { viewDigest } = command;
  if (viewDigest === undefined) return undefined;
  const approved = await asApproved(context, command, viewDigest);
  if (approved !== undefined) return deedOf(command, approved.baseline, approved.now);
  throw new EngineError('EX002', 'The page has changed since this was approved, so it was not done.', {
    suggestedAction: 'Read the page again, then call it again: a person is asked about the page as it is.',
  });
}
