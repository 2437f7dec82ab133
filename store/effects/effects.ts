import { EffectSchema, type Effect, type EffectQuery, type SettleEffect } from '../../contracts/sessions/once';
import type { Sql } from '../database/connect';
import { withoutNulls } from '../database/rows';
import type { StoreRefusal } from '../database/refusals';

const DEFAULT_LIMIT = 100;

/** What is to happen once, by key. Keys are entered by the journal, in the transaction of an intent. */
export interface Effects {
  get(effectId: number): Promise<Effect | null>;
  /** Newest first. */
  list(query: EffectQuery): Promise<Effect[]>;
  /** Settles it as a person says; false where its step is under way, or the key is free. */
  settle(effectId: number, request: SettleEffect): Promise<boolean>;
}

export function createEffects(sql: Sql): Effects {
  return {
    async get(effectId) {
      const [row] = await sql<object[]>`select * from effects where effect_id = ${effectId}`;
      return row === undefined ? null : toEffect(row);
    },
    async list({ key, tenant, session, state, limit = DEFAULT_LIMIT }) {
      const rows = await sql<object[]>`
        select * from effects where true
          ${key === undefined ? sql`` : sql`and key = ${key}`}
          ${tenant === undefined ? sql`` : sql`and tenant = ${tenant}`}
          ${session === undefined ? sql`` : sql`and session_id = ${session}`}
          ${state === undefined ? sql`` : sql`and state = ${state}`}
        order by claimed_at desc, effect_id desc limit ${limit}`;
      return rows.map(toEffect);
    },
    async settle(effectId, { state, reason, by }) {
      const { count } = await sql`
        update effects set state = ${state}, reason = ${reason}, settled_by = ${by ?? null}, settled_at = clock_timestamp()
        where effect_id = ${effectId} and state in ('done', 'unknown')`;
      return count > 0;
    },
  };
}

/** The row that holds the key, of a refusal with the reason `key-held`. */
export function heldEffect({ detail }: StoreRefusal): Effect {
  const row = JSON.parse(detail) as Record<string, unknown>;
  return toEffect(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    ),
  );
}

function toEffect(row: object): Effect {
  return EffectSchema.parse(withoutNulls(row));
}
