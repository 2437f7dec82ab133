import {
  PHASES,
  RELIABLE_CONFIDENCE,
  TOOL_FACTS,
  investigationIdOf,
  type InvestigationTool,
  type ToolFinding,
} from '../../../contracts/steps/investigation';
import { pageKey } from '../../../contracts/steps/working-memory';
import type { PhaseRow } from '../../../store/models/investigations';
import type { ActivityCall } from '../../activity';
import type { ExploreInput, ExploreOutput } from '../../browser-activities';
import { writeOutbox } from '../../sessions/write-outbox';
import type { Attachment } from '../../browsers/attachment';
import { captureDom } from '../capture';
import { toFencingError } from '../../browsers/fencing';
import { withinMs } from '../../../runtime/time-limit';
import { takeSnapshot } from '../snapshots/take-snapshot';
import { snapshotOptionsFor } from '../snapshots/snapshot-options';
import { isTargetClosed, asConnectionLoss } from '../../browsers/playwright-errors';
import type { BrowserDeps } from '../../browsers/browser-deps';
import { loadSessionValues, type SessionValues } from '../../secrets/session-values';
import { toolRecords } from './tool-records';
import { TOOLS, type ToolObservation, type ToolContext } from './tools';

/**
 * The tools of one phase in their order, and a look at the page behind those that wait. They only look, so that an
 * attempt after a dead worker goes on with those that have not been through. A tool that fails gives way to the next.
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
    // Before any tool: what stands in password fields is known as a secret from here on.
    await captureDom(attachment, values);
    const outcome = await runTools(deps, input, call, attachment, values);
    // Where something was waited for, the page may be another; looking at a large one is dear.
    if (!outcome.isInterrupted && input.phase === 'focused_exploration') {
      await attachment.watch.settle(attachment.page, call.signal);
      await store.memory.saveSnapshot(
        sessionId,
        await takeSnapshot(attachment, values, await snapshotOptionsFor(store, sessionId)),
      );
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
  const scene: ToolContext = {
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
    if (findings.some((finding) => finding.tool === tool)) continue;
    if (!isWanted(tool, findings, preferred)) continue;
    if (call.signal.aborted) return { toolsUsed: [], isInterrupted: true };
    const records = toolRecords({ sessionId, stepIndex, turn, phase, investigationId }, tool);
    const guard = { runId: call.runId };
    await store.log.append(sessionId, [records.started()], { guard });
    const finding = await tryTool(tool, scene, end, (facts) => ({ phase, tool, ...facts }));
    await store.investigations.addFinding({ sessionId, stepIndex, turn, phase }, finding);
    await store.log.append(sessionId, [records.completed(finding)], { guard });
    findings.push(finding);
  }
  return { toolsUsed: findings.filter(({ success }) => success).map(({ tool }) => tool), isInterrupted: false };
}

/** The whole DOM is dear: only where its parts did not tell enough, or where it is known to be what helps on this page. */
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

/** A failed try is worth as many more as its tool has, while the phase has time. */
async function tryTool(
  tool: InvestigationTool,
  scene: ToolContext,
  end: number,
  toFinding: (facts: Omit<ToolFinding, 'phase' | 'tool'>) => ToolFinding,
): Promise<ToolFinding> {
  const { limitMs, retries, confidence, maxCharacters } = TOOL_FACTS[tool];
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  for (let retry = 0; ; retry += 1) {
    try {
      const left = Math.max(1, Math.min(startedAt + limitMs, end) - performance.now());
      const sight: ToolObservation = scene.values.redactAll(await withinMs(left, TOOLS[tool](scene)));
      const text = sight.text.slice(0, maxCharacters);
      return toFinding({
        success: true,
        confidence: toolConfidence(confidence, sight),
        durationMs: durationMs(),
        ...sight,
        text,
      });
    } catch (error) {
      if (isTargetClosed(error) && (await scene.attachment.isLost())) throw error;
      const isOver = performance.now() >= Math.min(startedAt + limitMs, end) || scene.signal.aborted;
      // What is missing now is missing a moment later; what a navigation has torn is not.
      const isPassing =
        error instanceof Error && /context was destroyed|navigat|detached|no answer/i.test(error.message);
      if (retry < retries && isPassing && !isOver) continue;
      const message = error instanceof Error ? error.message : String(error);
      const summary = scene.values.redact(message.slice(0, 500));
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

/** A tool that found nothing of what was looked for has seen less than it could. */
function toolConfidence(confidence: number, { elementsFound }: ToolObservation): number {
  return elementsFound === 0 ? Math.min(confidence, RELIABLE_CONFIDENCE) : confidence;
}
