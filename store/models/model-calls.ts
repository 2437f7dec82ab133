import type { Budget, Used } from '../../contracts/models/budget';
import type { ModelLimits } from '../../contracts/models/model-limits';
import type { ModelCallInfo, ModelTokens, Spent, StepUsage } from '../../contracts/models/usage';
import type { Sql } from '../database/connect';

/** One billed call of a model. */
interface ModelCall {
  /** The same from its start to its end. */
  callId: string;
  model: string;
  /** Hash of the key it is made with; without one there are no limits but the session's budget. */
  keyHash?: string | undefined;
  /** Billed so far; of a call under way, what was sent. */
  inputTokens: number;
  /** US dollars as a decimal in text; undefined where no price is known. */
  cost: string | undefined;
  priceTable: string | undefined;
}

export interface CallToAdmit extends ModelCall {
  stepIndex: number;
  turn: number;
  /** What requests the call, the same in all its attempts: attempts before the newest are dead. */
  requestedBy: string;
  attempt: number;
  /** The likely total, for the rate limit. */
  tokens: number;
  /** The most it may still cost, beside what is billed already. */
  reservedTokens: number;
  reservedCost: string | undefined;
}

export interface CallToSettle extends ModelCall {
  outcome: string;
  outputTokens: number;
  cachedTokens: number;
  isEstimated: boolean;
  durationMs: number;
  /** What the call shows about the vendor: `nothing` when it was cancelled here. */
  verdict: 'outage' | 'answered' | 'nothing';
}

/** A call that is not admitted is not made. `held` has a place in the rate limit after its wait, and is admitted then. */
export type Admission =
  | { kind: 'admitted' }
  | { kind: 'held'; waitMs: number }
  | { kind: 'open'; waitMs: number; failures: number }
  | { kind: 'unpriced' }
  | { kind: 'budget'; budget: Budget; used: Used };

export interface ModelCalls {
  /** Decides in one statement, for all workers at once, and enters an admitted call as under way. */
  admit(sessionId: string, call: CallToAdmit, limits: ModelLimits): Promise<Admission>;
  /** Enters what a call used; a second time changes nothing. Resolves to what the session has used, and its budget. */
  settle(
    sessionId: string,
    call: CallToSettle,
    limits: ModelLimits,
  ): Promise<{ used: Used; budget: Budget | undefined }>;
  /** The usage of each step that has a call, in the order of the steps. */
  usageOf(sessionId: string): Promise<StepUsage[]>;
  spentBy(sessionId: string): Promise<Spent>;
  /** The newest of them, oldest first. */
  ofSession(sessionId: string, limit: number): Promise<ModelCallInfo[]>;
  /** The usage of one turn, failed calls included; `cost` is undefined where the price of one is not known. */
  usageOfTurn(sessionId: string, stepIndex: number, turn: number): Promise<TurnUsage>;
}

export interface TurnUsage {
  usage: ModelTokens;
  cost: string | undefined;
  /** The calls that used tokens: repairs, summaries and failed calls too. */
  billedCalls: number;
}

export function createModelCalls(sql: Sql): ModelCalls {
  const json = (value: unknown) => sql.json(value as never);
  return {
    async admit(sessionId, call, { breaker: _breaker, ...limits }) {
      const [row] = await sql<
        { answer: AdmissionAnswer }[]
      >`select admit_model_call(${json({ ...call, sessionId, limits })}) as answer`;
      const answer = row!.answer;
      return answer.kind === 'budget' ? { kind: 'budget', budget: answer.budget, used: toUsed(answer) } : answer;
    },
    async settle(sessionId, call, { breaker }) {
      const [row] = await sql<
        { used: UsedAnswer & { budget: Budget | null } }[]
      >`select settle_model_call(${json({ ...call, sessionId, breaker })}) as used`;
      const { budget, ...used } = row!.used;
      return { used: toUsed(used), budget: budget ?? undefined };
    },
    async usageOf(sessionId) {
      // Summed as numeric and read as text: a sum of money never passes through a float.
      const rows = await sql<StepUsage[]>`
        select step_index, count(*) as calls, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
          sum(cached_tokens) as cached_tokens, sum(input_tokens + output_tokens) as total_tokens,
          trim_scale(coalesce(sum(cost), 0))::text as cost, count(*) filter (where cost is null) as unpriced_calls,
          bool_or(is_estimated) as is_estimated
        from model_calls where session_id = ${sessionId} group by step_index order by step_index`;
      return [...rows];
    },
    async spentBy(sessionId) {
      const [row] = await sql<{ tokens: number; cost: number | null }[]>`
        select coalesce(sum(input_tokens + output_tokens), 0)::float8 as tokens, sum(cost)::float8 as cost
        from model_calls where session_id = ${sessionId}`;
      const { tokens, cost } = row!;
      return cost === null ? { tokens } : { tokens, cost };
    },
    async ofSession(sessionId, limit) {
      const rows = await sql<ModelCallInfo[]>`
        select call_id, step_index, turn, model, outcome, input_tokens, output_tokens, cached_tokens, is_estimated,
          trim_scale(cost)::text as cost, price_table, duration_ms, at
        from model_calls where session_id = ${sessionId} order by at desc, call_id desc limit ${limit}`;
      return [...rows].reverse();
    },
    async usageOfTurn(sessionId, stepIndex, turn) {
      const [row] = await sql<(ModelTokens & { cost: string; unpriced: number; billedCalls: number })[]>`
        select coalesce(sum(input_tokens), 0) as input_tokens, coalesce(sum(output_tokens), 0) as output_tokens,
          coalesce(sum(cached_tokens), 0) as cached_tokens, trim_scale(coalesce(sum(cost), 0))::text as cost,
          count(*) filter (where cost is null) as unpriced,
          count(*) filter (where input_tokens + output_tokens > 0) as billed_calls
        from model_calls where session_id = ${sessionId} and step_index = ${stepIndex} and turn = ${turn}`;
      const { cost, unpriced, billedCalls, ...usage } = row!;
      return { usage, cost: unpriced === 0 ? cost : undefined, billedCalls };
    },
  };
}

type UsedAnswer = { tokens: number; cost: string };
type AdmissionAnswer = Exclude<Admission, { kind: 'budget' }> | ({ kind: 'budget'; budget: Budget } & UsedAnswer);

function toUsed({ tokens, cost }: UsedAnswer): Used {
  return { maxTokens: tokens, maxCost: cost };
}
