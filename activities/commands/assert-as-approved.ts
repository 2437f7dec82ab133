import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { EngineError } from '../failures';
import { isAsApproved } from '../pages/approval-view/capture-view';
import type { BatchContext } from './batch-context';

/** The page had time to change between the answer and now: an approved command runs on the page that was approved alone. */
export async function assertAsApproved(context: BatchContext, command: PlannedCommand): Promise<void> {
  const { viewDigest } = command;
  if (viewDigest === undefined || (await isAsApproved(context, command, viewDigest))) return;
  throw new EngineError('EX002', 'The page has changed since this was approved, so it was not done.', {
    suggestedAction: 'Read the page again, then call it again: a person is asked about the page as it is.',
  });
}
