import { DecisionAction, REFLECTION_CONFIDENCE } from '../contracts/ai-response';
import type { ErrorCode } from '../contracts/errors';

/** What the workflow needs to know of a model's reply. */
export interface Verdict {
  decision: DecisionAction;
  message: string;
  confidence: number;
  commandCount: number;
}

export type AfterReply = { kind: 'completed' } | { kind: 'failed'; code: ErrorCode; message: string } | { kind: 'act' };

/**
 * What follows from a reply before anything is done (S1.A31): ABORT fails the step, PROCEED without commands completes
 * it, everything else acts. The last call of a step that has used up its iterations may only judge.
 */
export function afterReply(verdict: Verdict, mayAct: boolean): AfterReply {
  if (verdict.decision === DecisionAction.ABORT) return { kind: 'failed', code: 'TL004', message: verdict.message };
  if (verdict.decision === DecisionAction.PROCEED && verdict.commandCount === 0) return { kind: 'completed' };
  if (mayAct) return { kind: 'act' };
  return { kind: 'failed', code: 'TL004', message: `The step used up its iterations. ${verdict.message}` };
}

/** After the commands ran: done, or one more look and judgement (RETRY, a failure, or confidence below 0.7). */
export function isStepDone(verdict: Verdict, hasEverySucceeded: boolean): boolean {
  return (
    verdict.decision === DecisionAction.PROCEED && hasEverySucceeded && verdict.confidence >= REFLECTION_CONFIDENCE
  );
}
