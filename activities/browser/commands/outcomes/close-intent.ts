import type { CommandEvidence } from '../../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { StandardError } from '../../../../contracts/errors/standard-error';
import type { Store } from '../../../../store/store';
import { toStandardError, type EngineError } from '../../../activity/failures';
import type { SessionValues } from '../../../secrets/session-values';
import { guardOf } from '../batch-context';
import { commandRecords, type CommandPlace } from '../../../recorded/command-records';

/** What it takes to close the intent of a command that no worker will bring to its end. */
export interface CloseContext extends CommandPlace {
  store: Store;
  values: SessionValues;
  runId: string;
  epoch: number;
}

/** Records that a command failed, or that nobody knows whether it happened. Resolves to the error in its entry. */
export async function closeIntent(
  context: CloseContext,
  command: PlannedCommand,
  status: 'failed' | 'unknown',
  cause: EngineError,
  evidence?: CommandEvidence,
): Promise<StandardError> {
  const { store, values, sessionId, stepIndex } = context;
  const { commandId } = command;
  const where = { sessionId, stepIndex, commandId };
  const error = values.redactAll(toStandardError(cause, cause.code, where));
  await store.journal.finish(
    sessionId,
    guardOf(context),
    {
      commandId,
      status,
      response: { success: false, commandId, screenshotId: '', duration: 0, error },
      error,
      evidence: evidence && values.redactAll(evidence),
    },
    [commandRecords(context, command).failed(0, error)],
  );
  return error;
}
