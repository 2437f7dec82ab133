import type { OutboxBatch } from '../../contracts/events/outbox';

/** The workflow's went with the first decision, and the records of a decision go with its commands. */
export const WRITTEN: OutboxBatch = { records: [], patch: {}, stepResults: [] };
