/** Deadlines of calls to Temporal, in milliseconds. */
export const SERVICE_DEADLINES = {
  start: 10_000,
  /** A worker completes an update in tens of milliseconds; after so long no worker is there. */
  update: 5000,
} as const;
