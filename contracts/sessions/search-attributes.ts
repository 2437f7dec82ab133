/**
 * What Temporal's list shows of a session, and how each is typed. None changes with each step, which would be an event of the
 * history; current details and the query `progress` have the step. Every process that registers or writes
 * them reads it here.
 */
export const SEARCH_ATTRIBUTES = {
  SurefootStatus: 'KEYWORD',
  SurefootModel: 'KEYWORD',
  SurefootTenant: 'KEYWORD',
  /** Whom or what it waits for: `approval`, `unknown-outcome`, `budget`, `operator`, `task`, `browser`. */
  SurefootWaitsFor: 'KEYWORD',
  /** Why it failed: the code of the error that began it. */
  SurefootError: 'KEYWORD',
  /** Of all model calls, as far as it is known with the newest reply. */
  SurefootTokens: 'INT',
  /** The same in US dollars, of the calls whose price is known. */
  SurefootCost: 'DOUBLE',
} as const;
export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;
