/**
 * Why a run did not succeed. `page`, `answer`, `variables` and `state`: the model reported success and the check says
 * otherwise; `outcome`: it reported success where the case can't be done. `model`: no call reaches the model.
 */
export type FailureKind =
  | 'refused'
  | 'model'
  | 'start'
  | 'failed'
  | 'budget'
  | 'time'
  | 'waiting'
  | 'page'
  | 'answer'
  | 'variables'
  | 'state'
  | 'outcome';

export interface RunUsage {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** US dollars as decimal text, of the calls whose price is known. */
  cost: string;
  unpricedCalls: number;
}

export interface EvalFailure {
  kind: FailureKind;
  message: string;
}

export interface EvalRun {
  case: string;
  model: string;
  repeat: number;
  sessionId?: string;
  usage: RunUsage;
  /** Of the steps of the case, without start and checks. */
  durationMs: number;
  failure?: EvalFailure;
}
