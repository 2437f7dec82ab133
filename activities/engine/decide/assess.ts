import { StreamEventType } from '../../../contracts/events/stream-event';
import {
  PHASES,
  PhaseJudgementSchema,
  RELIABLE_CONFIDENCE,
  investigationIdOf,
  type DiscoveredElement,
  type InvestigationTool,
  type PhaseJudgement,
  type ToolFinding,
} from '../../../contracts/steps/investigation';
import type { NewRecord } from '../../../contracts/events/log';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { memoryText, pageKey, type MemoryEntry } from '../../../contracts/steps/working-memory';
import type { StoredJudgement, PhaseRow } from '../../../store/models/investigations';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { ActivityCall } from '../../activity/activity';
import type { AssessInput, AssessOutput } from '../../signatures/engine-activities';
import { writeOutbox } from '../../activity/write-outbox';
import { EngineError } from '../../activity/failures';
import { fenceNonce, type DecideDeps } from './request-decision';
import { durableTarget, refIn, selectorText } from '../../../rules/page-text/durable-target';
import { sessionModel } from '../models/session-model';
import { createModelCallRecorder } from '../models/calls/model-call-recorder';
import { toLearntFacts } from './learn';
import type { AssessmentRequest } from '../../../contracts/model-port/port';
import { mergeJudgements, assembleDecisionRequest } from './decision-request';
import { issuesOf, issuesText } from '../../../contracts/errors/issues';
import { loadPicture } from '../models/load-image';

const MOST_FOCUS = 5;
const LONGEST_FOCUS = 200;
const MOST_ELEMENTS = 20;

/** Judges one phase of an investigation. A repeated attempt continues with the stored judgement. */
export async function assess(deps: DecideDeps, input: AssessInput, call: ActivityCall): Promise<AssessOutput> {
  const { store } = deps;
  const { sessionId, stepIndex, turn, phase, step } = input;
  await writeOutbox(store, sessionId, call.runId, input.outbox);
  const place = { sessionId, stepIndex, turn };
  const before = await store.investigations.of(place);
  const stored = before.find((row) => row.phase === phase);
  const earlier = before.filter((row) => row.phase !== phase);
  const assembled = await assembleDecisionRequest(store, { ...input, mayAct: true });
  const { request, hasSecrets } = assembled;
  const findings = findingsOf(before, !hasSecrets && step.options.aiConfig.model !== 'rules');
  const known = mergeJudgements(earlier).elements;
  let judgement = stored?.judgement ?? undefined;
  if (judgement === undefined) {
    const assessment = { ...request, phase, wanted: input.wanted, findings, candidates: known };
    // A model without image input ignores the screenshot.
    const artifactId = findings.find(({ tool }) => tool === 'screenshot_analysis')?.artifactId;
    const isShown = !hasSecrets && phase === 'initial_assessment' && artifactId !== undefined;
    const picture = isShown ? await loadPicture(store, sessionId, { artifactId, hasBoxes: false }) : undefined;
    const whole = { ...assessment, ...(picture === undefined ? {} : { picture }) };
    const judged = await requestJudgement(deps, input, whole, assembled.session, call);
    call.signal.throwIfAborted();
    const made = toStoredJudgement(judged, request.snapshot, findings, phase);
    judgement = await store.investigations.saveJudgement({ ...place, phase }, made);
  }
  await store.log.append(sessionId, elementRecords(input, judgement, known), { guard: { runId: call.runId } });

  const { elements } = mergeJudgements([...earlier, { phase, findings: [], judgement }]);
  const isLast = phase === PHASES.at(-1)!.phase;
  const entries = isLast ? toMemoryEntries(request.snapshot.url, judgement, elements) : [];
  const learnt = await toLearntFacts(store, sessionId, entries, 'investigation');
  await store.workingMemory.remember(sessionId, entries);
  return {
    focus: judgement.focus,
    elementsDiscovered: elements.length,
    confidence: judgement.confidence,
    readyForAction: elements.some(({ isReliable }) => isReliable),
    learnt,
  };
}

/** The findings so far. Where a model saw the picture, the text of the screenshot is what it said of it. */
function findingsOf(rows: readonly PhaseRow[], isPictureShown: boolean): ToolFinding[] {
  return rows.flatMap(({ findings, judgement }) =>
    findings.map((finding) =>
      isPictureShown && judgement !== null && finding.tool === 'screenshot_analysis' && finding.artifactId !== undefined
        ? { ...finding, summary: judgement.summary, text: judgement.summary }
        : finding,
    ),
  );
}

async function requestJudgement(
  deps: DecideDeps,
  input: AssessInput,
  request: AssessmentRequest,
  session: SessionRow | undefined,
  call: ActivityCall,
): Promise<PhaseJudgement> {
  const { sessionId, stepIndex, step } = input;
  const ai = step.options.aiConfig;
  const recorder = createModelCallRecorder(deps, input, call);
  try {
    const assessing = await sessionModel(deps, sessionId, ai);
    const { judgement, model } = await assessing.assess(request, {
      signal: recorder.signal,
      ai,
      validationMode: 'strict',
      nonce: fenceNonce(session?.executorSessionId ?? sessionId, stepIndex),
      // Deltas are not published: the events of the phase contain the whole judgement.
      listener: { ...recorder, delta: () => {} },
    });
    await recorder.settle();
    const parsed = PhaseJudgementSchema.safeParse(judgement);
    if (parsed.success) return parsed.data;
    const issues = issuesText(issuesOf(parsed.error));
    throw new EngineError('TL003', `The judgement of ${model} does not fit its schema: ${issues}`);
  } finally {
    recorder.close();
  }
}

/** Replaces refs by durable selectors, and decides from the findings how reliable an element is. */
function toStoredJudgement(
  judged: PhaseJudgement,
  snapshot: PageSnapshot,
  findings: readonly ToolFinding[],
  phase: PhaseRow['phase'],
): StoredJudgement {
  const tool = findings.findLast((finding) => finding.phase === phase && finding.success)?.tool;
  const elements = judged.elements.slice(0, MOST_ELEMENTS).flatMap(({ selector, elementType, confidence }) => {
    const ref = refIn(selector);
    const target = ref === undefined ? undefined : durableTarget(snapshot, ref);
    // The model may invent a ref that the snapshot does not contain.
    if (ref !== undefined && target === undefined) return [];
    const durable = target === undefined ? selector : selectorText(target);
    const facts = findings.flatMap(({ candidates = [] }) => candidates).findLast((each) => each.selector === durable);
    const isUsable = facts?.matches === 1 && facts.isVisible === true && facts.isEnabled !== false;
    return [
      {
        selector: durable,
        elementType: target?.role ?? elementType,
        name: target?.name ?? '',
        confidence,
        discoveryMethod: tool ?? ('text_extraction' satisfies InvestigationTool),
        isReliable: isUsable && confidence >= RELIABLE_CONFIDENCE,
      },
    ];
  });
  const focus = judged.focus.filter((text) => text.trim() !== '').map((text) => text.slice(0, LONGEST_FOCUS));
  const { summary, insight } = judged;
  return {
    ...judged,
    summary: memoryText(summary),
    ...(insight === undefined ? {} : { insight: memoryText(insight) }),
    focus: focus.slice(0, MOST_FOCUS),
    elements,
  };
}

/** Publishes an element when it is proposed, and again when its reliability or confidence has changed. */
function elementRecords(
  { sessionId, stepIndex, turn, phase }: AssessInput,
  { elements }: StoredJudgement,
  known: readonly DiscoveredElement[],
): NewRecord[] {
  const investigationId = investigationIdOf(sessionId, stepIndex, turn);
  const news = elements.filter((element) => {
    const before = known.find(({ selector }) => selector === element.selector);
    return before?.isReliable !== element.isReliable || before.confidence !== element.confidence;
  });
  return news.map(({ selector, elementType, name, confidence, discoveryMethod, isReliable }, index) => ({
    eventId: `${investigationId}/${phase}/element/${index}`,
    owner: 'task-loop',
    type: StreamEventType.ELEMENT_DISCOVERED,
    at: new Date().toISOString(),
    stepIndex,
    turn,
    data: {
      elementDiscovery: {
        selector,
        elementType,
        confidence,
        discoveryMethod,
        isReliable,
        properties: { name, phase, investigationId },
      },
    },
  }));
}

function toMemoryEntries(
  url: string,
  judgement: StoredJudgement,
  elements: readonly DiscoveredElement[],
): MemoryEntry[] {
  const page = pageKey(url);
  const best = elements
    .filter(({ isReliable }) => isReliable)
    .sort((one, other) => other.confidence - one.confidence)[0];
  return [
    ...elements.map(({ selector, elementType, name, confidence, isReliable }): MemoryEntry => ({
      kind: 'element_discovery',
      page,
      selector,
      elementType,
      name,
      confidence,
      isReliable,
    })),
    { kind: 'page_insight', page, text: judgement.insight ?? judgement.summary, confidence: judgement.confidence },
    ...(best === undefined
      ? []
      : [
          {
            kind: 'investigation_preference' as const,
            page,
            tool: best.discoveryMethod,
            confidence: best.confidence,
          },
        ]),
  ];
}
