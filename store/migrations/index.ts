import type { Migration } from 'kysely/migration';
import { up as first } from './0001-first';
import { up as checkpoints } from './0002-checkpoints';
import { up as unknownOutcomes } from './0003-unknown-outcomes';
import { up as idempotencyKeys } from './0004-idempotency-keys';
import { up as capacity } from './0005-capacity';
import { up as upkeep } from './0007-upkeep';
import { up as statusesAndVersions } from './0008-statuses-and-versions';
import { up as journalAdvance } from './0009-journal-advance';
import { up as modelCalls } from './0009-model-calls';
import { up as moduleSessions } from './0010-module-sessions';
import { up as investigations } from './0012-investigations';
import { up as histories } from './0013-histories';
import { up as secrets } from './0014-secrets';
import { up as modelLimits } from './0015-model-limits';
import { up as relay } from './0016-relay';
import { up as facts } from './0017-facts';
import { up as messages } from './0018-messages';
import { up as approvals } from './0019-approvals';
import { up as toolCalls } from './0020-tool-calls';
import { up as turns } from './0021-turns';
import { up as rowPatches } from './0022-row-patches';
import { up as takers } from './0023-takers';
import type { MigrationName } from './names';

export const MIGRATIONS: Record<MigrationName, Migration> = {
  '0001-first': { up: first },
  '0002-checkpoints': { up: checkpoints },
  '0003-unknown-outcomes': { up: unknownOutcomes },
  '0004-idempotency-keys': { up: idempotencyKeys },
  '0005-capacity': { up: capacity },
  '0007-upkeep': { up: upkeep },
  '0008-statuses-and-versions': { up: statusesAndVersions },
  '0009-journal-advance': { up: journalAdvance },
  '0009-model-calls': { up: modelCalls },
  '0010-module-sessions': { up: moduleSessions },
  '0012-investigations': { up: investigations },
  '0013-histories': { up: histories },
  '0014-secrets': { up: secrets },
  '0015-model-limits': { up: modelLimits },
  '0016-relay': { up: relay },
  '0017-facts': { up: facts },
  '0018-messages': { up: messages },
  '0019-approvals': { up: approvals },
  '0020-tool-calls': { up: toolCalls },
  '0021-turns': { up: turns },
  '0022-row-patches': { up: rowPatches },
  '0023-takers': { up: takers },
};
