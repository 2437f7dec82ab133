/** Run in the order of their names; one that was released is never changed. */
export const MIGRATION_NAMES = [
  '0001-first',
  '0002-checkpoints',
  '0003-unknown-outcomes',
  '0004-idempotency-keys',
  '0005-capacity',
  '0007-upkeep',
  '0008-statuses-and-versions',
  '0009-journal-advance',
  '0009-model-calls',
  '0010-module-sessions',
  '0012-investigations',
  '0013-histories',
  '0014-secrets',
  '0015-model-limits',
  '0016-relay',
  '0017-facts',
  '0018-messages',
  '0019-approvals',
  '0020-tool-calls',
  '0021-turns',
  '0022-row-patches',
  '0023-takers',
] as const;

export type MigrationName = (typeof MIGRATION_NAMES)[number];
