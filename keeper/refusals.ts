/** A request the keeper can't grant, with the HTTP status that says what kind of no it is. */
export class KeeperRefusal extends Error {
  constructor(
    readonly status: 404 | 409 | 429 | 503,
    message: string,
  ) {
    super(message);
  }
}

export function noSuchBrowser(sessionId: string): KeeperRefusal {
  return new KeeperRefusal(404, `No browser of session ${sessionId} runs on this host; open one with POST /browsers.`);
}

export function epochRefused(asked: number, current: number): KeeperRefusal {
  return new KeeperRefusal(
    409,
    `Expected an epoch above ${current}, got ${asked}: the browser belongs to a newer holder. Take the lease again and ask with its epoch.`,
  );
}

export function notLeaseHolder(asked: number, current: number): KeeperRefusal {
  return new KeeperRefusal(
    409,
    `Expected epoch ${current}, got ${asked}: only who holds the browser may say what its requests carry. Take the lease again.`,
  );
}

export function hostFull(capacity: number): KeeperRefusal {
  return new KeeperRefusal(
    429,
    `This host keeps ${capacity} browsers and has no room for another; ask again when one has ended, or raise SUREFOOT_MAX_BROWSERS.`,
  );
}

export function couldNotStart(chromiumPath: string, reason: string): KeeperRefusal {
  return new KeeperRefusal(503, `Chromium could not be started from ${chromiumPath}: ${reason}; set CHROMIUM_PATH.`);
}

/** It came up, or was about to, and somebody ended it: that says nothing about the next one. */
export class KilledWhileStarting extends KeeperRefusal {
  constructor(reason: string) {
    super(503, `Chromium was ended again and again while it started (${reason}); look for what kills it.`);
  }
}
