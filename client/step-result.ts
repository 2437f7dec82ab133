import type { StepSummary } from '../contracts/bookkeeping';
import type { CommandResponse, ExecutorCommand } from '../contracts/commands';
import { StepStatus, type StepResult } from '../contracts/steps';
import type { JournalEntry } from '../store/journal';
import type { DomReader } from './dom-reader';

/** S1.28, from how the step ended and from what the journal holds of its commands. */
export async function toStepResult(
  sessionId: string,
  summary: StepSummary,
  entries: readonly JournalEntry[],
  doms: DomReader,
): Promise<StepResult> {
  const commandResults: CommandResponse[] = [];
  for (const { response, domId } of entries) {
    if (response === undefined) continue;
    const { dom, metadata } = await doms.show(domId);
    commandResults.push({ ...response, dom, metadata: { ...response.metadata, ...metadata } });
  }
  const { stepIndex, status, reasoning, durationMs, error, page } = summary;
  return {
    stepIndex,
    success: status === StepStatus.COMPLETED,
    executedCommands: entries.map((entry) => toExecutorCommand(sessionId, entry)),
    commandResults,
    aiReasoning: reasoning,
    duration: durationMs,
    ...(error === undefined ? {} : { error }),
    finalPageState: { dom: (await doms.show(page.domId)).dom, screenshotId: page.screenshotId, url: page.url },
  };
}

function toExecutorCommand(sessionId: string, entry: JournalEntry): ExecutorCommand {
  const { action, parameters, commandId, intendedAt } = entry;
  return { sessionId, action, parameters, commandId, timestamp: intendedAt };
}
