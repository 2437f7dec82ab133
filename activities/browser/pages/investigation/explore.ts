import {
  PHASES,
  RELIABLE_CONFIDENCE,
  TOOL_FACTS,
  investigationIdOf,
  type InvestigationTool,
  type ToolFinding,
} from '../../../../contracts/steps/investigation';
import { pageKey } from '../../../../contracts/steps/working-memory';
import type { PhaseRow } from '../../../../store/models/investigations';
import type { ActivityCall } from '../../../activity/activity';
import type { ExploreInput, ExploreOutput } from '../../../signatures/browser-activities';
import { writeOutbox } from '../../../activity/write-outbox';
import type { Attachment } from '../../attach/attachment';
import { captureDom } from '../capture';
import { toFencingError } from '../../attach/fencing';
import { withinMs } from '../../../../runtime/time-limit';
import { takeSnapshot } from '../snapshots/take-snapshot';
import { snapshotOptionsFor } from '../snapshots/snapshot-options';
import { isTargetClosed, asConnectionLoss } from '../../attach/playwright-errors';
import type { BrowserDeps } from '../../attach/browser-deps';
import { loadSessionValues, type SessionValues } from '../../../secrets/session-values';
import { toolRecords } from './tool-records';
import { TOOLS, type ToolObservation, type ToolContext } from './tools';
import { errorMessage } from '../../../../contracts/errors/error-message';

/**
 * Runs the read-only tools of one phase in order, and takes a snapshot after those that wait. A repeated attempt
 * continues with the tools that have no finding yet. A tool that fails gives way to the next.
 */
export async function explore(deps: BrowserDeps, input: ExploreInput, call: ActivityCall): Promise<ExploreOutput> {
  const { store, attachments, env } = deps;
  const { sessionId, executor } = input;
  await writeOutbox(store, sessionId, call.runId, input.outbox);
  if (attachments.isEnding()) {
    const { lease } = input;
    return { lease: { ...lease, workerQueue: lease.hostQueue }, toolsUsed: [], isInterrupted: true };
  }
  const { attachment, lease } = await attachments.use(sessionId, call, {
    timeoutMs: executor.timeoutMs,
    signal: call.signal,
    leavesWhenAborted: true,
  });
  try {
    const [values] = await Promise.all([loadSessionValues(store, sessionId, env), attachment.openTab()]);
    // Before any tool, so that the values of password fields are known as secrets.
    await captureDom(attachment, values);
    const outcome = await runTools(deps, input, call, attachment, values);
    // Only a phase that waits may find another page; a snapshot of a large one is expensive.
    if (!outcome.isInterrupted && input.phase === 'focused_exploration') {
      await attachment.watch.settle(attachment.page, call.signal);
      const snapshot = await takeSnapshot(attachment, values, await snapshotOptionsFor(store, sessionId));
      await store.memory.saveSnapshot(sessionId, { runId: call.runId, epoch: lease.epoch }, snapshot);
    }
    return { ...outcome, lease: attachments.leaseOf(attachment) };
  } catch (error) {
    throw (await toFencingError(store, sessionId, lease.epoch, error)) ?? (await asConnectionLoss(error, attachment));
  } finally {
    attachments.leave(attachment);
  }
}

async function runTools(
  { store }: BrowserDeps,
  input: ExploreInput,
  call: ActivityCall,
  attachment: Attachment,
  values: SessionValues,
): Promise<Pick<ExploreOutput, 'toolsUsed' | 'isInterrupted'>> {
  const { sessionId, stepIndex, turn, phase, focus, executor } = input;
  const { tools, limitMs } = PHASES.find((each) => each.phase === phase)!;
  const investigationId = investigationIdOf(sessionId, stepIndex, turn);
  const [before, { entries }] = await Promise.all([
    store.investigations.of({ sessionId, stepIndex, turn }),
    store.workingMemory.recall(sessionId, pageKey(values.redact(attachment.page.url())), 1),
  ]);
  const preferred = entries.find((entry) => entry.kind === 'investigation_preference')?.tool;
  const context: ToolContext = {
    store,
    attachment,
    values,
    sessionId,
    stepIndex,
    phaseId: `${investigationId}.${phase}`,
    screenshotsEnabled: executor.screenshotsEnabled,
    focus,
    selectors: selectorsOf(before),
    signal: call.signal,
  };
  const findings = before.find((row) => row.phase === phase)?.findings ?? [];
  const end = performance.now() + limitMs;
  for (const tool of tools) {
    const records = toolRecords({ sessionId, stepIndex, turn, phase, investigationId }, tool);
    const guard = { runId: call.runId };
    const known = findings.find((each) => each.tool === tool);
    if (known !== undefined) {
      // The attempt before may have ended between its finding and the record of it.
      await store.log.append(sessionId, [records.completed(known)], { guard });
      continue;
    }
    if (!isWanted(tool, findings, preferred)) continue;
    if (call.signal.aborted) return { toolsUsed: [], isInterrupted: true };
    await store.log.append(sessionId, [records.started()], { guard });
    const finding = await tryTool(tool, context, end, (facts) => ({ phase, tool, ...facts }));
    await store.investigations.addFinding({ sessionId, stepIndex, turn, phase }, finding);
    await store.log.append(sessionId, [records.completed(finding)], { guard });
    findings.push(finding);
  }
  return { toolsUsed: findings.filter(({ success }) => success).map(({ tool }) => tool), isInterrupted: false };
}

/**
 * The whole DOM is expensive: it is read only when its parts were not enough, or when it is known to help on this
 * page.
 */
function isWanted(
  tool: InvestigationTool,
  findings: readonly ToolFinding[],
  preferred: InvestigationTool | undefined,
): boolean {
  if (tool !== 'full_dom_retrieval' || preferred === tool) return true;
  const candidates = findings.flatMap((finding) => finding.candidates ?? []);
  return !candidates.some(({ matches, isVisible }) => matches === 1 && isVisible === true);
}

function selectorsOf(rows: readonly PhaseRow[]): string[] {
  const elements = rows.flatMap((row) => row.judgement?.elements ?? []);
  return [...new Set(elements.map(({ selector }) => selector))];
}

/** Tries a tool again after a passing failure, as often as it allows and while the phase has time. */
async function tryTool(
  tool: InvestigationTool,
  context: ToolContext,
  end: number,
  toFinding: (facts: Omit<ToolFinding, 'phase' | 'tool'>) => ToolFinding,
): Promise<ToolFinding> {
  const { limitMs, retries, confidence, maxCharacters } = TOOL_FACTS[tool];
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  for (let retry = 0; ; retry += 1) {
    try {
      const left = Math.max(1, Math.min(startedAt + limitMs, end) - performance.now());
      const sight: ToolObservation = context.values.redactAll(await withinMs(left, TOOLS[tool](context)));
      const text = sight.text.slice(0, maxCharacters);
      return toFinding({
        success: true,
        confidence: toolConfidence(confidence, sight),
        durationMs: durationMs(),
        ...sight,
        text,
      });
    } catch (error) {
      if (isTargetClosed(error) && (await context.attachment.isLost())) throw error;
      const isOver = performance.now() >= Math.min(startedAt + limitMs, end) || context.signal.aborted;
      // An error of a navigation passes; a missing element stays missing.
      const isPassing =
        error instanceof Error && /context was destroyed|navigat|detached|no answer/i.test(error.message);
      if (retry < retries && isPassing && !isOver) continue;
      const message = errorMessage(error);
      const summary = context.values.redact(message.slice(0, 500));
      return toFinding({
        success: false,
        confidence: 0,
        durationMs: durationMs(),
        summary,
        text: '',
        elementsFound: 0,
      });
    }
  }
}

/** A tool that found nothing it searched for deserves less confidence. */
function toolConfidence(confidence: number, { elementsFound }: ToolObservation): number {
  return elementsFound === 0 ? Math.min(confidence, RELIABLE_CONFIDENCE) : confidence;
}
