import type { Budget, Used } from '../../contracts/models/budget';
import type { ModelLimits } from '../../contracts/models/model-limits';
import type { ModelCallInfo, ModelTokens, StepUsage } from '../../contracts/models/usage';
import type { Sql } from '../database/connect';

/** One call of a model, for the bill. */
interface ModelCall {
  /** The same from its start to its end. */
  callId: string;
  model: string;
  /** Hash of the key it is made with; without one there are no limits but the session's budget. */
  keyHash?: string | undefined;
  /** What is on the bill of it; of one that is under way, what was sent. */
  inputTokens: number;
  /** US dollars as a decimal in text; undefined where no price is known. */
  cost: string | undefined;
  priceTable: string | undefined;
}

export interface CallToAdmit extends ModelCall {
  stepIndex: number;
  turn: number;
  /** The attempts of one asking are told apart by their number: those before the newest are dead. */
  requestedBy: string;
  attempt: number;
  /** What it will most likely come to, for the rate limit. */
  tokens: number;
  /** What it may come to at most, beside what is on the bill already. */
  reservedTokens: number;
  reservedCost: string | undefined;
}

export interface CallToSettle extends ModelCall {
  outcome: string;
  outputTokens: number;
  cachedTokens: number;
  isEstimated: boolean;
  durationMs: number;
  /** What it says of the vendor: `nothing` when the call was given up by us. */
  verdict: 'outage' | 'answered' | 'nothing';
}

/** A call that is not admitted is not made: `held` has a place at the end of its wait, and asks again then. */
export type Admission =
  | { kind: 'admitted' }
  | { kind: 'held'; waitMs: number }
  | { kind: 'open'; waitMs: number; failures: number }
  | { kind: 'unpriced' }
  | { kind: 'budget'; budget: Budget; used: Used };

export interface ModelCalls {
  /** Decides in one statement, for all workers at once, and enters the call as under way when it is admitted. */
  admit(sessionId: string, call: CallToAdmit, limits: ModelLimits): Promise<Admission>;
  /** Enters what it came to; the second time changes nothing. Resolves to what the session has used by then, and may. */
  settle(
    sessionId: string,
    call: CallToSettle,
    limits: ModelLimits,
  ): Promise<{ used: Used; budget: Budget | undefined }>;
  /** What each step has used, in the order of the steps; a step without a call is not among them. */
  usageOf(sessionId: string): Promise<StepUsage[]>;
  /** The newest of them, oldest first. */
  ofSession(sessionId: string, limit: number): Promise<ModelCallInfo[]>;
  /** What one turn has used, with calls that failed; `cost` is undefined where the price of one is not known. */
  usageOfTurn(sessionId: string, stepIndex: number, turn: number): Promise<TurnUsage>;
}

export interface TurnUsage {
  usage: ModelTokens;
  cost: string | undefined;
}

export function createModelCalls(sql: Sql): ModelCalls {
  const json = (value: unknown) => sql.json(value as never);
  return {
    async admit(sessionId, call, { breaker: _breaker, ...limits }) {
      const [row] = await sql`select admit_model_call(${json({ ...call, sessionId, limits })}) as answer`;
      const answer = row!['answer'];
      return answer.kind === 'budget' ? { kind: 'budget', budget: answer.budget, used: toUsed(answer) } : answer;
    },
    async settle(sessionId, call, { breaker }) {
      const [row] = await sql`select settle_model_call(${json({ ...call, sessionId, breaker })}) as used`;
      const { budget, ...used } = row!['used'];
      return { used: toUsed(used), budget: budget ?? undefined };
    },
    async usageOf(sessionId) {
      // Summed as numeric and told as text: a sum of money never passes through a float.
      const rows = await sql`
        select step_index, count(*) as calls, sum(input_tokens) as input, sum(output_tokens) as output,
          sum(cached_tokens) as cached, trim_scale(coalesce(sum(cost), 0))::text as cost,
          count(*) filter (where cost is null) as unpriced, bool_or(is_estimated) as is_estimated
        from model_calls where session_id = ${sessionId} group by step_index order by step_index`;
      return rows.map((row) => ({
        stepIndex: row['step_index'],
        calls: row['calls'],
        inputTokens: row['input'],
        outputTokens: row['output'],
        cachedTokens: row['cached'],
        totalTokens: row['input'] + row['output'],
        cost: row['cost'],
        unpricedCalls: row['unpriced'],
        isEstimated: row['is_estimated'],
      }));
    },
    async ofSession(sessionId, limit) {
      const rows = await sql`
        select *, trim_scale(cost)::text as price from model_calls where session_id = ${sessionId}
        order by at desc, call_id desc limit ${limit}`;
      return rows.reverse().map((row) => ({
        callId: row['call_id'],
        stepIndex: row['step_index'],
        turn: row['turn'],
        model: row['model'],
        outcome: row['outcome'],
        inputTokens: row['input_tokens'],
        outputTokens: row['output_tokens'],
        cachedTokens: row['cached_tokens'],
        isEstimated: row['is_estimated'],
        cost: row['price'],
        priceTable: row['price_table'],
        durationMs: row['duration_ms'],
        at: row['at'],
      }));
    },
    async usageOfTurn(sessionId, stepIndex, turn) {
      const [row] = await sql`
        select coalesce(sum(input_tokens), 0) as input, coalesce(sum(output_tokens), 0) as output,
          coalesce(sum(cached_tokens), 0) as cached, trim_scale(coalesce(sum(cost), 0))::text as cost,
          count(*) filter (where cost is null) as unpriced
        from model_calls where session_id = ${sessionId} and step_index = ${stepIndex} and turn = ${turn}`;
      const { input, output, cached, cost, unpriced } = row as unknown as Record<string, number> & { cost: string };
      return {
        usage: { inputTokens: Number(input), outputTokens: Number(output), cachedTokens: Number(cached) },
        cost: Number(unpriced) === 0 ? cost : undefined,
      };
    },
  };
}

function toUsed({ tokens, cost }: { tokens: number; cost: string }): Used {
  return { maxTokens: tokens, maxCost: cost };
}
