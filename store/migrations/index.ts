import type { Migration } from 'kysely/migration';
import * as first from './0001-first';
import * as checkpoints from './0002-checkpoints';
import * as unknownOutcomes from './0003-unknown-outcomes';
import * as idempotencyKeys from './0004-idempotency-keys';
import * as journalAdvance from './0009-journal-advance';

/** Run in the order of their names; one that was released is never changed. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-first': first,
  '0002-checkpoints': checkpoints,
  '0003-unknown-outcomes': unknownOutcomes,
  '0004-idempotency-keys': idempotencyKeys,
  '0009-journal-advance': journalAdvance,
};
