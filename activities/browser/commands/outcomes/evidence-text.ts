import type { KeeperEvidence } from '../../../../contracts/browsers/keeper';

/**
 * Describes the keeper's evidence since a commit was intended. Where nobody watched all the time, it says that
 * silence proves nothing.
 */
export function describeEvidenceSince(evidence: KeeperEvidence, intendedAt: Date): string {
  const { requests } = evidence;
  const requestList = requests
    .map(({ method, url, status, isUnsent }) => `${method} ${url} ${status ?? (isUnsent ? 'not sent' : 'no answer')}`)
    .join(', ');
  const seen = requestList === '' ? 'No request was seen since.' : `Requests since: ${requestList}.`;
  return wasWatchedSince(evidence, intendedAt)
    ? seen
    : `${seen} Not all of that time was watched: a request that is not listed may have been sent all the same.`;
}

/** True when a request that is not in the evidence was not sent. */
export function wasWatchedSince({ watchedSince, gaps }: KeeperEvidence, intendedAt: Date): boolean {
  const from = intendedAt.getTime();
  return Date.parse(watchedSince) <= from && gaps.every(({ to }) => to !== undefined && Date.parse(to) <= from);
}
