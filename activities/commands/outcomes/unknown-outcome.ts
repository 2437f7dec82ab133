import type { JournalEntry } from '../../../store/journal/journal';
import { EngineError, toStandardError } from '../../failures';
import type { KeeperEvidence } from '../../../contracts/browsers/keeper';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { commandRecords } from './command-records';
import type { KeeperClient } from '../../browsers/keeper-client';
import type { BatchContext } from '../batch-context';
import { describeEvidenceSince } from './evidence-text';
import { readDeliveryMarker } from '../find-target';

export type IntentContext = Pick<
  BatchContext,
  'store' | 'attachment' | 'values' | 'sessionId' | 'stepIndex' | 'turn' | 'epoch' | 'runId' | 'signal'
>;

/** What became of a commit that was intended and of which nobody could tell the end; if unknown, as it was recorded. */
export type IntentResolution = 'did-not-happen' | { code: string; message: string };

/**
 * Finds out whether an intended commit happened. If the document it was meant for is still there and has not seen its
 * event, it did not: then it may be run. Otherwise it is recorded as unknown with all evidence, and the model judges;
 * it is never sent a second time by us.
 */
export async function resolveIntent(
  scene: IntentContext,
  keeper: KeeperClient,
  command: PlannedCommand,
  entry: JournalEntry,
): Promise<IntentResolution> {
  const { store, attachment, sessionId, stepIndex, runId, epoch, values } = scene;
  // What it set off may have no answer yet, and that answer tells more than anything else.
  await attachment.watch.waitForNavigationResponse(scene.signal);
  const mark = await readDeliveryMarker(attachment.context.pages(), command.commandId);
  if (mark === 'armed') return 'did-not-happen';
  await attachment.watch.settle(attachment.page, scene.signal);
  const seen = await keeper.evidence(sessionId, entry.intendedAt, attachment.browserId);
  const evidence = {
    eventDelivered: mark === 'fired',
    isDocumentGone: mark === undefined,
    urlBefore: entry.pageUrl,
    urlAfter: attachment.page.url(),
    ...seen,
  };
  const message = values.redact(
    `Nobody saw ${command.action} come to its end; it is not repeated. ${summary(evidence, entry.intendedAt)}`,
  );
  const error = toStandardError(new EngineError('TL004', message, { details: { outcome: 'unknown' } }), 'TL004', {
    sessionId,
    stepIndex,
    commandId: command.commandId,
    moduleId: 'task-loop',
  });
  const records = commandRecords(scene, command);
  await store.journal.finish(
    sessionId,
    { runId, epoch },
    {
      commandId: command.commandId,
      status: 'unknown',
      response: { success: false, commandId: command.commandId, screenshotId: '', duration: 0, error },
      error,
      evidence: values.redactAll(evidence),
    },
    [records.failed(0, error)],
  );
  return { code: error.code, message };
}

interface Findings extends KeeperEvidence {
  eventDelivered: boolean;
  isDocumentGone: boolean;
  urlBefore: string;
  urlAfter: string;
}

function summary(findings: Findings, intendedAt: Date): string {
  const { eventDelivered, isDocumentGone, urlBefore, urlAfter } = findings;
  return [
    eventDelivered ? 'The page has seen its event.' : '',
    isDocumentGone ? 'The document it was meant for is gone, or was never reached.' : '',
    urlBefore === urlAfter ? '' : `The page went from ${urlBefore} to ${urlAfter}.`,
    describeEvidenceSince(findings, intendedAt),
  ]
    .filter((text) => text !== '')
    .join(' ');
}
