import type { StepSummary } from '../../contracts/events/outbox';
import type { CommandResponse, ExecutorCommand } from '../../contracts/commands/commands';
import { StepStatus, type StepResult } from '../../contracts/steps/step-result';
import type { JournalEntry } from '../../store/journal/journal';
import type { DomReader } from './dom-reader';

/** Builds S1.28 from the summary of the step and the journal entries of its commands. */
export async function toStepResult(
  sessionId: string,
  summary: StepSummary,
  planned: readonly JournalEntry[],
  doms: DomReader,
): Promise<StepResult> {
  // A call that waited for a person ran after calls that stand behind it in the reply.
  const entries = planned.toSorted((one, other) => one.intendedAt.getTime() - other.intendedAt.getTime());
  const commandResults: CommandResponse[] = [];
  for (const { commandId, response = noAnswer(commandId), domId } of entries) {
    const { dom, metadata } = await doms.read(domId);
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
    finalPageState: { dom: (await doms.read(page.domId)).dom, screenshotId: page.screenshotId, url: page.url },
  };
}

/** The result of a command without outcome, so that each command has a result at its index. */
function noAnswer(commandId: string): Omit<CommandResponse, 'dom'> {
  return { success: false, commandId, screenshotId: '', duration: 0 };
}

function toExecutorCommand(sessionId: string, entry: JournalEntry): ExecutorCommand {
  const { action, parameters, commandId, intendedAt } = entry;
  return { sessionId, action, parameters, commandId, timestamp: intendedAt };
}
