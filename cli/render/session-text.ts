import type { SessionDetails } from '../../service/port/port';
import { isCancellation } from '../../contracts/errors/cancellation';
import { budgetUses, budgetUseText } from '../../contracts/models/budget';
import type { VariableInfo } from '../../contracts/sessions/resources';
import { SessionStatus, isOpen, type WorkflowSession } from '../../contracts/sessions/session';
import type { StepResult } from '../../contracts/steps/step-result';
import type { ModelCallInfo, SessionUsage } from '../../contracts/models/usage';
import { lineAsCalled } from '../terminal/as-called';
import { toTable } from '../terminal/table';
import { toDuration } from '../terminal/duration';
import { errorText } from '../../contracts/events/event-lines';
import { toLine } from './event-lines';
import type { Line, Tone } from '../terminal/terminal';

const TONE_OF_STATUS: Record<SessionStatus, Tone> = {
  INITIALIZING: 'plain',
  ACTIVE: 'plain',
  PAUSED: 'warning',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: 'warning',
  CLEANUP: 'quiet',
};

/** A line in which the first mention of the status has its colour. */
export function withStatus(line: string, status: SessionStatus): Line {
  const at = line.indexOf(status);
  if (at === -1) return [{ text: line, tone: 'plain' }];
  return [
    { text: line.slice(0, at), tone: 'plain' },
    { text: status, tone: TONE_OF_STATUS[status] },
    { text: line.slice(at + status.length), tone: 'plain' },
  ];
}

/** The instructions of a session's steps (S1.A4). */
export function stepTexts({ metadata }: WorkflowSession): string[] {
  const steps: unknown = metadata?.['steps'];
  return Array.isArray(steps) ? steps.filter((step) => typeof step === 'string') : [];
}

/** Renders `COMPLETED · 7 of 7 steps · started 2026-01-02 03:04:05`. */
export function headline({ session, progress, usage, queuePosition, notBefore, pageWait }: SessionDetails): string {
  const waiting = queuePosition === undefined ? '' : ` · waiting for a browser, place ${queuePosition} in the queue`;
  const isDue = notBefore === undefined || Date.parse(notBefore) <= Date.now() || !isOpen(session.status);
  const due = isDue ? '' : ` · waiting until ${notBefore}`;
  const look = pageWait === undefined ? '' : ` · waiting for ${pageWait.waitsFor}, next look ${pageWait.nextLookAt}`;
  const started = session.createdAt.toISOString().slice(0, 19).replace('T', ' ');
  const used = usage.calls === 0 ? '' : ` · ${usageText(usage)}`;
  return `${session.status} · ${progress.completedSteps} of ${progress.totalSteps} steps · started ${started} UTC${used}${waiting}${due}${look}`;
}

/** Renders the budget and how much of it is used; undefined without a budget. */
export function budgetLine({ budget, usage, progress }: SessionDetails): string | undefined {
  if (budget === null) return undefined;
  const used = { maxTokens: usage.totalTokens, maxCost: usage.cost, maxSteps: progress.completedSteps };
  const time = budget.maxTimeMs === undefined ? [] : [`${Math.round(budget.maxTimeMs / 1000)} s of active time`];
  return `budget: ${[...budgetUses(budget, used).map(budgetUseText), ...time].join(', ')}`;
}

/** Why the webhook did not get its newest message, or somebody no mail; empty while nothing is wrong. */
export function deliveryWarnings({ webhook, mails }: Pick<SessionDetails, 'webhook' | 'mails'>): string[] {
  const named = [
    ...(webhook === null ? [] : [{ what: 'webhook', ...webhook }]),
    ...mails.map((mail) => ({ what: `mail to ${mail.to}`, ...mail })),
  ];
  return named
    .filter(({ warning, status }) => warning !== null && status !== 'delivered')
    .map(({ what, warning, status, attempts }) => {
      const more = status === 'pending' ? '; it is tried again' : '';
      return `${what} not delivered after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${warning}${more}`;
    });
}

/** Renders `12 model calls, 34567 tokens, $0.0123`; calls of unknown price are mentioned. */
function usageText({ calls, totalTokens, cost, credits, unpricedCalls, isEstimated }: SessionUsage): string {
  const price =
    unpricedCalls === calls
      ? 'price unknown'
      : `$${cost} (${credits} credits)${unpricedCalls > 0 ? ' and calls of unknown price' : ''}`;
  return `${calls} model ${calls === 1 ? 'call' : 'calls'}, ${isEstimated ? 'about ' : ''}${totalTokens} tokens, ${price}`;
}

/** Renders the bill, one line per call. */
export function callLines(calls: readonly ModelCallInfo[]): string[] {
  const rows = calls.map((call) => [
    `${call.stepIndex + 1}.${call.turn + 1}`,
    call.model,
    call.outcome,
    `${call.isEstimated ? 'about ' : ''}${call.inputTokens}`,
    String(call.cachedTokens),
    String(call.outputTokens),
    call.cost === null ? 'unknown' : `$${call.cost}`,
    toDuration(call.durationMs),
  ]);
  return toTable(['CALL', 'MODEL', 'OUTCOME', 'IN', 'CACHED', 'OUT', 'COST', 'TOOK'], rows);
}

/** Renders one line per step with its mark and duration, and the error below a failed step. */
export function stepLines(details: SessionDetails): Line[] {
  const { session, stepResults, progress } = details;
  const results = new Map(stepResults.map((result) => [result.stepIndex, result]));
  const texts = stepTexts(session);
  return texts.flatMap((text, index) => {
    const place = `${String(index + 1).padStart(String(texts.length).length)}. `;
    const result = results.get(index);
    if (result !== undefined) return finishedStep(place, text, result);
    const isRunning = isOpen(session.status) && index === progress.currentStepIndex;
    return [toLine(place, isRunning ? (session.status === SessionStatus.PAUSED ? 'warning' : 'plain') : 'quiet', text)];
  });
}

function finishedStep(place: string, text: string, { success, error, duration }: StepResult): Line[] {
  if (success) return [toLine(place, 'good', text, toDuration(duration))];
  if (isCancellation(error)) return [toLine(place, 'warning', text, 'cancelled')];
  const indent = ' '.repeat(place.length);
  return [
    toLine(place, 'bad', text, toDuration(duration)),
    ...(error === undefined ? [] : [toLine(indent, 'bad', errorText(error))]),
    ...(error?.suggestedAction === undefined ? [] : [toLine(indent, 'plain', error.suggestedAction)]),
  ];
}

const HOW_TO_ANSWER = {
  budget: 'Decide with',
  'unknown-outcome': 'Look for it, then',
  secret: 'Answer with',
  message: 'Send it with',
  'rolled-back-store': 'Look at it, then',
} as const;

/** Renders what the session waits for, and the command that answers. */
export function waitingLines({ waitingFor }: SessionDetails): string[] {
  if (waitingFor === null) return [];
  return [waitingFor.message, `${HOW_TO_ANSWER[waitingFor.pausedFor]}: ${lineAsCalled(waitingFor.answerWith.cli)}`];
}

/** Renders `name = value`: saved variables first, then those of the request. */
export function variableLines(variables: readonly VariableInfo[]): string[] {
  const isGiven = ({ source }: VariableInfo) => source === 'user_input';
  const ordered = [...variables.filter((each) => !isGiven(each)), ...variables.filter(isGiven)];
  return ordered.map((each) => `${each.name} = ${each.value}${isGiven(each) ? '  (given)' : ''}`);
}
