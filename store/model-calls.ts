import type { ModelTokens, StepUsage } from '../contracts/usage';
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
  /** What one turn has used, with calls that failed; `cost` is undefined where the price of one is not known. */
  usageOfTurn(sessionId: string, stepIndex: number, turn: number): Promise<TurnUsage>;
}

export interface TurnUsage {
  usage: ModelTokens;
  cost: string | undefined;
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
