import type { BatchRowQuery } from '../../contracts/batches/batch';
import type { RowsFormat } from '../../contracts/batches/rows-input';
import type { ApprovalFilter } from '../../contracts/approvals/approval';
import type { FormatName } from '../../contracts/events/formats/formats';
import type { Period } from '../../contracts/modules/operations';
import type { EffectQuery } from '../../contracts/sessions/once';
import type { SessionFilter } from '../../contracts/sessions/session-list';

/** Which sessions `listSessions` returns, and in which order; pages count from 1. */
export interface SessionListQuery extends SessionFilter {
  page?: number | undefined;
  /** 200 at most. */
  pageSize?: number | undefined;
}

export interface SessionQuery {
  /** `true` includes the DOMs in the results of the steps. */
  dom?: 'true' | 'false' | undefined;
}

/** Which events `sessionEvents` returns. */
export interface EventPageQuery {
  /** Only events after this seq. */
  after?: number | undefined;
  /** 1,000 at most. */
  limit?: number | undefined;
  /** Seconds to wait for an event where there is none yet, 30 at most. */
  wait?: number | undefined;
  /** Types of events, with commas between. */
  types?: string | undefined;
  /** Only events of this step, counted from 0. */
  step?: number | undefined;
  /** ISO-8601, inclusive. */
  since?: string | undefined;
  until?: string | undefined;
  format?: FormatName | undefined;
  actions?: 'all' | 's1' | undefined;
}

export interface ApprovalListQuery {
  /** Id of a session; approvals of all sessions where it is left out. */
  session?: string | undefined;
  status?: ApprovalFilter | undefined;
}

export interface BrowserSessionQuery {
  tenant?: string | undefined;
}

/** Of `showResult`: the step whose result it is, from 0; the newest that has one where it is left out. */
export interface ResultQuery {
  step?: number | undefined;
}

/** Of `listEffects`; the newest 100 where `limit` is left out. */
export type EffectListQuery = EffectQuery;

/** Of profiles: whose they are. */
export interface ProfileQuery {
  tenant?: string | undefined;
}

/** Of schedules: whose they are; those of all tenants where it is left out. */
export interface ScheduleQuery {
  tenant?: string | undefined;
}

/** Of batches: whose they are; those of all tenants where it is left out. */
export interface BatchQuery {
  tenant?: string | undefined;
}

/** Of `listBatchRows`: those of this tenant and state, behind a row; or those that have ended behind a position. */
export interface BatchRowsQuery extends BatchQuery, BatchRowQuery {}

/** Of `showBatchResults`: CSV where `format` is left out. */
export interface BatchResultsQuery extends BatchQuery {
  format?: RowsFormat | undefined;
}

/** Of `showOperations`: a week, days of UTC and all tenants where they are left out. */
export interface OperationsFilter {
  period?: Period | undefined;
  timeZone?: string | undefined;
  tenant?: string | undefined;
}

/** Of `listRecipes`: those of this tenant, or else all. */
export interface RecipeListQuery {
  tenant?: string | undefined;
}

/** Of `showRecipe`: the version that is used, or else the newest, where it is left out. */
export interface RecipeQuery {
  version?: number | undefined;
}

/** Of `showLiveView`: the number of the frame that was shown last. */
export interface LiveViewQuery {
  after?: number | undefined;
}
