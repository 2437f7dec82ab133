/** How long the keeper waits for the processes of its host, in milliseconds; docs/timeouts.md explains them. */
export const KEEPER_DEADLINES = {
  /** A Chrome has answered its keeper for the first time. */
  chromeStart: 15_000,
  /** A busy host needs so long for a start, however short the session's own limit is. */
  chromeStartAtLeast: 5000,
  /** Playwright has launched a Firefox or WebKit, which takes longer than a Chrome. */
  launchedStart: 20_000,
  /** A Chrome that ran before this keeper has answered it. */
  chromeAdoption: 5000,
  /** The egress process listens. It starts once a host, beside whatever else starts there. */
  egressStart: 30_000,
  /** The egress process has opened or changed a way out. */
  egressCall: 10_000,
  /** A keeper that stops lets approved commands come to their end; what they hold after that is lost with their Chrome. */
  deedEnd: 3000,
} as const;
