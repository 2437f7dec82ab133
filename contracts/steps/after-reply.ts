import type { ErrorCode } from '../errors/error-codes';
import { DecisionAction, REFLECTION_CONFIDENCE } from '../models/ai-response';

/** `missing`: the reply does not judge the commands before it. */
export type Validation = 'passed' | 'failed' | 'missing';

/** What a step needs to know of a model's reply. */
export interface JudgedReply {
  decision: DecisionAction;
  message: string;
  confidence: number;
  commandCount: number;
  /** How the reply judges the commands before it; absent where none ran. */
  validation?: Validation | undefined;
}

export type AfterReply =
  | { kind: 'completed' }
  | { kind: 'failed'; code: ErrorCode; message: string; isOutOfIterations?: true }
  | { kind: 'act' }
  /** The model can't say that the step is done, and has no commands for it: it is asked again about a new snapshot. */
  | { kind: 'observe' };

/**
 * What follows from a reply before anything is done (S1.A31): ABORT fails the step, PROCEED without commands completes
 * it, everything else acts. With reflection, a doubtful PROCEED completes nothing. The last call of a step that has used
 * up its iterations may only judge.
 */
export function afterReply(verdict: JudgedReply, mayAct: boolean, isReflecting = true): AfterReply {
  const { decision, commandCount, message, validation, confidence } = verdict;
  if (decision === DecisionAction.ABORT) return { kind: 'failed', code: 'TL004', message };
  const isDoubtful = isReflecting && (validation === 'failed' || confidence < REFLECTION_CONFIDENCE);
  if (decision === DecisionAction.PROCEED && commandCount === 0) {
    if (!isDoubtful) return { kind: 'completed' };
    if (mayAct) return { kind: 'observe' };
  } else if (mayAct) return { kind: 'act' };
  const isUnsure = decision === DecisionAction.PROCEED && commandCount === 0 && validation !== 'failed';
  if (validation === 'missing' || isUnsure)
    return {
      kind: 'failed',
      code: 'TL005',
      message: `The step used up its iterations, and the model could not judge what came of its commands. ${message}`,
      isOutOfIterations: true,
    };
  return {
    kind: 'failed',
    code: 'TL004',
    message: `The step used up its iterations. ${message}`,
    isOutOfIterations: true,
  };
}

/** Whether the commands of a reply were meant to complete the step, and have all succeeded. */
export function isToBeJudged(verdict: JudgedReply, hasEverySucceeded: boolean): boolean {
  return verdict.decision === DecisionAction.PROCEED && hasEverySucceeded;
}
