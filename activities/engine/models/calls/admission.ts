import {
  BUDGET_SPENT,
  budgetUses,
  nearlySpent,
  spent,
  budgetWarningText,
  budgetSpentText,
  type Budget,
  type Used,
} from '../../../../contracts/models/budget';
import { StreamEventType } from '../../../../contracts/events/stream-event';
import type { NewRecord } from '../../../../contracts/events/log';
import { BREAKER_OPEN, CALL_HELD, type ModelLimits } from '../../../../contracts/models/model-limits';
import { SessionStatus } from '../../../../contracts/sessions/session';
import type { Admission } from '../../../../store/models/model-calls';
import { EngineError } from '../../../activity/failures';
import type { TurnKey } from '../../../../store/models/messages';

type Refusal = Exclude<Admission, { kind: 'admitted' }>;

/** Converts a refusal to the error by which the workflow waits, requires human input, or calls the next model. */
export function toAdmissionError(model: string, refusal: Refusal, limits: ModelLimits): EngineError {
  switch (refusal.kind) {
    case 'held':
      return new EngineError('AI003', rateLimitedText(model, refusal.waitMs, limits), {
        type: CALL_HELD,
        details: { kind: 'held', retryAfterMs: refusal.waitMs },
        isFinal: true,
      });
    case 'open': {
      const { failures, waitMs } = refusal;
      const message = `${model} is not called: it failed ${failures} times recently, and is tried again in ${seconds(waitMs)}.`;
      return new EngineError('AI001', message, {
        details: { kind: BREAKER_OPEN, retryAfterMs: waitMs },
        suggestedAction: 'Name a fallback model after a comma in SUREFOOT_MODEL.',
        isFinal: true,
      });
    }
    case 'unpriced':
      return new EngineError(
        'AI001',
        `${model} is not called: the session has a budget in money, and the price of the model is not known.`,
        {
          details: { kind: 'settings' },
          suggestedAction: 'Add its price to SUREFOOT_PRICES, or give the session a budget in tokens.',
          isFinal: true,
        },
      );
    case 'budget': {
      const use = spent(budgetUses(refusal.budget, refusal.used));
      if (use === undefined) throw new Error('A call was refused for a budget that is not used up.');
      return new EngineError('TL004', budgetSpentText(use), {
        type: BUDGET_SPENT,
        details: { kind: 'budget', use },
        isFinal: true,
      });
    }
  }
}

export function rateLimitedRecord(
  callId: string,
  position: TurnKey,
  model: string,
  waitMs: number,
  limits: ModelLimits,
): NewRecord {
  return {
    eventId: `${callId}/held`,
    owner: 'executor-streamer',
    type: StreamEventType.SESSION_STATUS,
    at: new Date().toISOString(),
    stepIndex: position.stepIndex,
    turn: position.turn,
    data: {
      message: rateLimitedText(model, waitMs, limits),
      details: { status: SessionStatus.ACTIVE, waitingFor: 'model', waitMs },
    },
  };
}

/** One warning for each limit of the budget that is nearly used up. The id holds the limit, so it is published once. */
export function budgetWarnings({ sessionId, stepIndex }: TurnKey, budget: Budget | undefined, used: Used): NewRecord[] {
  return nearlySpent(budgetUses(budget, used)).map((use) => {
    const id = `${sessionId}/budget/${use.limit}/${use.allowed}`;
    const at = new Date();
    const warning = {
      id,
      code: 'TL004',
      message: budgetWarningText(use),
      details: { kind: 'budget.warning', ...use },
      timestamp: at,
      sessionId,
      stepIndex,
    };
    return {
      eventId: id,
      owner: 'executor-streamer',
      type: StreamEventType.WARNING_ISSUED,
      at: at.toISOString(),
      stepIndex,
      data: { warning },
    };
  });
}

function rateLimitedText(model: string, waitMs: number, { requestsPerMinute, tokensPerMinute }: ModelLimits): string {
  const limits = [
    ...(requestsPerMinute > 0 ? [`${requestsPerMinute} ${requestsPerMinute === 1 ? 'request' : 'requests'}`] : []),
    ...(tokensPerMinute > 0 ? [`${tokensPerMinute} tokens`] : []),
  ].join(' and ');
  return `${model} is called in ${seconds(waitMs)}: its account has reached the limit of a minute (${limits}).`;
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1000))} s`;
}
