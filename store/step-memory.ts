import type { AIResponse } from '../contracts/ai-response';
import type { StepSummary } from '../contracts/bookkeeping';
import type { PlannedCommand } from '../contracts/planned-command';
import type { PageLook } from '../contracts/page';
import type { Sql } from './connect';

/** One answer of the model as it was accepted: selectors are durable; `commands` are what is run, one for each of the reply. */
export interface ReplyRow {
  turn: number;
  reply: AIResponse;
  model: string;
  usage: { inputTokens: number; outputTokens: number; cachedTokens: number };
  commands: PlannedCommand[];
}

/** What a session remembers from one activity to the next, so that the workflow's history holds references only. */
export interface StepMemory {
  saveReply(sessionId: string, stepIndex: number, reply: ReplyRow): Promise<void>;
  repliesOf(sessionId: string, stepIndex: number): Promise<ReplyRow[]>;
  saveLook(sessionId: string, look: PageLook): Promise<void>;
  /** The newest look at the session's page; null before the first. */
  look(sessionId: string): Promise<PageLook | null>;
  saveStepResult(sessionId: string, result: StepSummary): Promise<void>;
  stepResults(sessionId: string): Promise<StepSummary[]>;
}

export function createStepMemory(sql: Sql): StepMemory {
  const json = (value: unknown) => sql.json(value as never);
  return {
    async saveReply(sessionId, stepIndex, { turn, reply, model, usage, commands }) {
      await sql`
        insert into replies (session_id, step_index, turn, reply, model, usage, commands)
        values (${sessionId}, ${stepIndex}, ${turn}, ${json(reply)}, ${model}, ${json(usage)}, ${json(commands)})
        on conflict (session_id, step_index, turn) do update set
          reply = excluded.reply, model = excluded.model, usage = excluded.usage, commands = excluded.commands`;
    },
    async repliesOf(sessionId, stepIndex) {
      const rows = await sql`
        select turn, reply, model, usage, commands from replies
        where session_id = ${sessionId} and step_index = ${stepIndex} order by turn`;
      return rows.map((row) => ({
        turn: row['turn'],
        reply: row['reply'],
        model: row['model'],
        usage: row['usage'],
        commands: row['commands'],
      }));
    },
    async saveLook(sessionId, look) {
      await sql`
        insert into looks (session_id, look) values (${sessionId}, ${json(look)})
        on conflict (session_id) do update set look = excluded.look, at = clock_timestamp()`;
    },
    async look(sessionId) {
      const [row] = await sql`select look from looks where session_id = ${sessionId}`;
      return row === undefined ? null : row['look'];
    },
    async saveStepResult(sessionId, { stepIndex, status, reasoning, durationMs, error, page }) {
      await sql`
        insert into step_results (session_id, step_index, status, reasoning, duration_ms, error, page)
        values (${sessionId}, ${stepIndex}, ${status}, ${reasoning}, ${durationMs}, ${error === undefined ? null : json(error)}, ${json(page)})
        on conflict do nothing`;
    },
    async stepResults(sessionId) {
      const rows = await sql`select * from step_results where session_id = ${sessionId} order by step_index`;
      return rows.map((row) => ({
        stepIndex: row['step_index'],
        status: row['status'],
        reasoning: row['reasoning'],
        durationMs: row['duration_ms'],
        ...(row['error'] === null ? {} : { error: row['error'] }),
        page: row['page'],
      }));
    },
  };
}
