import type { EarlierStep } from '../../contracts/steps/earlier-step';
import type { AIResponse } from '../../contracts/models/ai-response';
import type { StepSummary } from '../../contracts/events/outbox';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { Sighting } from '../../contracts/recipes/sighting';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { Sql } from '../database/connect';
import { withRefusals } from '../database/refusals';
import { withoutNulls, type Stored } from '../database/rows';
import type { Guard } from '../events/event-log';

/** A reply of the model as it was accepted: selectors are durable; `commands` are run, one for each of the reply. */
export interface ReplyRow {
  turn: number;
  reply: AIResponse;
  model: string;
  usage: { inputTokens: number; outputTokens: number; cachedTokens: number };
  commands: PlannedCommand[];
  /** Digest of the page that the reply was given for: equal for pages that read the same. */
  snapshotDigest?: string | undefined;
  /** Position from which on commands are not run, because the first of them would repeat an earlier one. */
  repeatAt?: number | undefined;
  /** What it saw of the page, for recipes. */
  sighting?: Sighting | undefined;
  /** When it was stored. */
  at?: Date | undefined;
}

/** What a session's activities share; the workflow's history holds references only. */
export interface StepMemory {
  /** Resolves to the reply that counts: of concurrent attempts, that of the first. */
  saveReply(sessionId: string, stepIndex: number, reply: ReplyRow): Promise<ReplyRow>;
  repliesOf(sessionId: string, stepIndex: number): Promise<ReplyRow[]>;
  /** Throws StoreRefusal when the session belongs to another run or has a newer lease: then nothing is written. */
  saveSnapshot(sessionId: string, guard: Guard, snapshot: PageSnapshot): Promise<void>;
  /** The newest snapshot of the session's page; null before the first. */
  snapshot(sessionId: string): Promise<PageSnapshot | null>;
  /** Saves the snapshot that a model is shown now: until the next one, refs mean what they mean in it. */
  saveShownSnapshot(sessionId: string, snapshot: PageSnapshot): Promise<void>;
  /** The newest snapshot, and the one a model was shown last; each null where there is none. */
  snapshots(sessionId: string): Promise<{ newest: PageSnapshot | null; shown: PageSnapshot | null }>;
  saveStepResult(sessionId: string, result: StepSummary): Promise<void>;
  stepResults(sessionId: string): Promise<StepSummary[]>;
  /** Of the newest steps before this one, oldest first: what was asked and how it ended. */
  earlierSteps(sessionId: string, stepIndex: number, limit: number): Promise<EarlierStep[]>;
  /** The newest that models wrote down in steps before this one (`context.memory`), oldest first. */
  notes(sessionId: string, stepIndex: number, limit: number): Promise<string[]>;
}

/** Characters of a step's last message that prompts of later steps have. */
const MESSAGE_KEPT = 400;

export function createStepMemory(sql: Sql): StepMemory {
  const json = (value: unknown) => sql.json(value as never);

  async function repliesOf(sessionId: string, stepIndex: number): Promise<ReplyRow[]> {
    const rows = await sql<Stored<ReplyRow, 'snapshotDigest' | 'repeatAt' | 'sighting'>[]>`
      select turn, reply, model, usage, commands, snapshot_digest, repeat_at, sighting, at from replies
      where session_id = ${sessionId} and step_index = ${stepIndex} order by turn`;
    return rows.map(withoutNulls);
  }

  return {
    async saveReply(sessionId, stepIndex, row) {
      const { turn, reply, model, usage, commands, snapshotDigest, repeatAt, sighting } = row;
      const { count } = await sql`
        insert into replies (session_id, step_index, turn, reply, model, usage, commands, snapshot_digest, repeat_at, sighting)
        values (${sessionId}, ${stepIndex}, ${turn}, ${json(reply)}, ${model}, ${json(usage)}, ${json(commands)},
          ${snapshotDigest ?? null}, ${repeatAt ?? null}, ${sighting === undefined ? null : json(sighting)})
        on conflict (session_id, step_index, turn) do nothing`;
      return count === 1 ? row : (await repliesOf(sessionId, stepIndex)).find((stored) => stored.turn === turn)!;
    },
    repliesOf,
    async saveSnapshot(sessionId, guard, snapshot) {
      await withRefusals(sql`
        insert into page_snapshots (session_id, newest)
        select session_id, ${json(snapshot)} from guarded_session(${sessionId}, ${json(guard)})
        on conflict (session_id) do update set newest = excluded.newest, at = clock_timestamp()`);
    },
    async snapshot(sessionId) {
      const [row] = await sql<{ newest: PageSnapshot }[]>`
        select newest from page_snapshots where session_id = ${sessionId}`;
      return row?.newest ?? null;
    },
    async saveShownSnapshot(sessionId, snapshot) {
      await sql`
        insert into page_snapshots (session_id, newest, shown) values (${sessionId}, ${json(snapshot)}, ${json(snapshot)})
        on conflict (session_id) do update set shown = excluded.shown`;
    },
    async snapshots(sessionId) {
      const [row] = await sql<{ newest: PageSnapshot; shown: PageSnapshot | null }[]>`
        select newest, shown from page_snapshots where session_id = ${sessionId}`;
      return row ?? { newest: null, shown: null };
    },
    async saveStepResult(sessionId, { stepIndex, status, reasoning, durationMs, error, page }) {
      await withRefusals(sql`
        insert into step_results (session_id, step_index, status, reasoning, duration_ms, error, page)
        values (${sessionId}, ${stepIndex}, ${status}, ${reasoning}, ${durationMs}, ${error === undefined ? null : json(error)}, ${json(page)})
        on conflict do nothing`);
    },
    async stepResults(sessionId) {
      const rows = await sql<Stored<StepSummary, 'error'>[]>`
        select step_index, status, reasoning, duration_ms, error, page from step_results
        where session_id = ${sessionId} order by step_index`;
      return rows.map(withoutNulls);
    },
    async earlierSteps(sessionId, stepIndex, limit) {
      const rows = await sql<EarlierStep[]>`
        select r.step_index, r.status,
          left(coalesce(l.reply->'decision'->>'message', r.reasoning), ${MESSAGE_KEPT}) as message,
          coalesce(r.page->>'url', '') as url,
          coalesce(r.page->>'screenshotId', '') as screenshot_id,
          coalesce(s.plan->'steps'->r.step_index->>'instruction', '') as instruction
        from step_results r join sessions s using (session_id)
          left join lateral (
            select reply from replies p where p.session_id = r.session_id and p.step_index = r.step_index
            order by turn desc limit 1
          ) l on true
        where r.session_id = ${sessionId} and r.step_index < ${stepIndex} order by r.step_index desc limit ${limit}`;
      return [...rows].reverse();
    },
    async notes(sessionId, stepIndex, limit) {
      const rows = await sql<{ note: string }[]>`
        select reply->'context'->>'memory' as note from replies
        where session_id = ${sessionId} and step_index < ${stepIndex} and reply->'context'->>'memory' <> ''
        order by step_index desc, turn desc limit ${limit}`;
      return rows.map(({ note }) => note).reverse();
    },
  };
}
