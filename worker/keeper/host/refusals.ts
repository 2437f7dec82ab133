import type { BrowserProgram } from '../../../runtime/browser-program';

/** A request that the keeper refuses, with the HTTP status of the reason. */
export class KeeperRefusal extends Error {
  constructor(
    readonly status: 404 | 408 | 409 | 423 | 429 | 501 | 503 | 504,
    message: string,
    /** Why it is so, where that is known, as a sentence without its full stop. */
    readonly reason?: string,
  ) {
    super(message);
  }
}

export function noSuchBrowser(sessionId: string, reason?: string): KeeperRefusal {
  const message = `No browser of session ${sessionId} runs on this host; open one with POST /browsers.`;
  return new KeeperRefusal(404, message, reason);
}

export function epochRefused(asked: number, current: number): KeeperRefusal {
  return new KeeperRefusal(
    409,
    `Expected an epoch above ${current}, got ${asked}: the browser belongs to a newer holder. Take the lease again and ask with its epoch.`,
  );
}

export function notDrained(): KeeperRefusal {
  return new KeeperRefusal(
    423,
    'Expected a browser that has taken in what its last worker sent, got one that does not answer; ask again with the same epoch.',
  );
}

export function notLeaseHolder(asked: number, current: number): KeeperRefusal {
  return new KeeperRefusal(
    409,
    `Expected epoch ${current}, got ${asked}: only the lease holder may set the header of its requests. Take the lease again.`,
  );
}

export function hostFull(capacity: number): KeeperRefusal {
  return new KeeperRefusal(
    429,
    `This host runs its ${capacity} browsers and has no capacity for another; try again when one has ended, or raise SUREFOOT_MAX_BROWSERS.`,
  );
}

export function couldNotStart(chromiumPath: string, reason: string): KeeperRefusal {
  return new KeeperRefusal(503, `Chromium could not be started from ${chromiumPath}: ${reason}; set CHROMIUM_PATH.`);
}

/** A busy host, which the next start may find less busy. */
export function startedTooLate(path: string, reason: string): KeeperRefusal {
  return new KeeperRefusal(
    408,
    `The browser of ${path} was not ready in time: ${reason}; if that goes on, have fewer browsers at once by SUREFOOT_MAX_BROWSERS.`,
  );
}

/** No other start would fare better: the build is missing, or does not run here. */
export function browserMissing(message: string): KeeperRefusal {
  return new KeeperRefusal(501, message);
}

export function browserNotLaunched({ browserType, executablePath }: BrowserProgram, reason: string): KeeperRefusal {
  return new KeeperRefusal(503, `Playwright could not launch ${browserType} from ${executablePath}: ${reason}`);
}

export function notInThisBrowser(what: string, browserType: string): KeeperRefusal {
  return new KeeperRefusal(501, `Expected a chromium session, got one in ${browserType}: ${what}.`);
}

export function pipesRefused(folder: string, reason: string): KeeperRefusal {
  return new KeeperRefusal(
    503,
    `The pipes of a Chrome could not be made in ${folder} by mkfifo (${reason}): SUREFOOT_HOME must lie on a file system with named pipes.`,
  );
}

/** The egress process is slow, or dies and is replaced; either passes. */
export function egressUnanswered(asked: string, reason: string): KeeperRefusal {
  return new KeeperRefusal(504, `The egress process of this host gave no answer to ${asked} (${reason}); ask again.`);
}

/** Chrome was killed during its start, which says nothing about another start. */
export class KilledWhileStarting extends KeeperRefusal {
  constructor(reason: string) {
    super(503, `Chromium was killed repeatedly during its start (${reason}); find out what kills it.`);
  }
}
