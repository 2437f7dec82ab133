import type { StepUsage } from '../contracts/usage';
import type { Sql } from './connect';

/** One call of a model, for the bill. */
export interface ModelCallRow {
  /** The same from its start to its end. */
  callId: string;
  stepIndex: number;
  turn: number;
  model: string;
  /** `lost` until it has ended: a call whose worker died stays so. */
  outcome: string;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  isEstimated: boolean;
  /** US dollars as a decimal in text; undefined where no price is known. */
  cost: string | undefined;
  priceTable: string | undefined;
  durationMs: number;
}

export interface ModelCalls {
  /** Writes them; what is written of a call later takes the place of what was. */
  save(sessionId: string, calls: readonly ModelCallRow[]): Promise<void>;
  /** What each step has used, in the order of the steps; a step without a call is not among them. */
  usageOf(sessionId: string): Promise<StepUsage[]>;
}

export function createModelCalls(sql: Sql): ModelCalls {
  return {
    async save(sessionId, calls) {
      for (const call of calls) {
        await sql`
          insert into model_calls (session_id, call_id, step_index, turn, model, outcome, input_tokens, output_tokens,
            cached_tokens, is_estimated, cost, price_table, duration_ms)
          values (${sessionId}, ${call.callId}, ${call.stepIndex}, ${call.turn}, ${call.model}, ${call.outcome},
            ${call.inputTokens}, ${call.outputTokens}, ${call.cachedTokens}, ${call.isEstimated}, ${call.cost ?? null},
            ${call.priceTable ?? null}, ${call.durationMs})
          on conflict (session_id, call_id) do update set
            outcome = excluded.outcome, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
            cached_tokens = excluded.cached_tokens, is_estimated = excluded.is_estimated, cost = excluded.cost,
            price_table = excluded.price_table, duration_ms = excluded.duration_ms`;
      }
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
  };
}
