/** How long each kind of call to Temporal may take, in milliseconds. */
export const DEADLINES = {
  start: 10_000,
  /** A worker answers an update in tens of milliseconds, so a longer silence means that there is none. */
  update: 5000,
} as const;
