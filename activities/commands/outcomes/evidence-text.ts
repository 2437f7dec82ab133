import type { KeeperEvidence } from '../../../contracts/browsers/keeper';

/**
 * Describes the keeper's evidence since a commit was intended. Where nobody watched all the time, it says that
 * silence proves nothing.
 */
export function describeEvidenceSince({ requests, watchedSince, gaps }: KeeperEvidence, intendedAt: Date): string {
  const requestList = requests.map(({ method, url, status }) => `${method} ${url} ${status ?? 'no answer'}`).join(', ');
  const seen = requestList === '' ? 'No request was seen since.' : `Requests since: ${requestList}.`;
  const from = intendedAt.getTime();
  const wasWatched =
    Date.parse(watchedSince) <= from && gaps.every(({ to }) => to !== undefined && Date.parse(to) <= from);
  return wasWatched
    ? seen
    : `${seen} Not all of that time was watched: a request that is not listed may have been sent all the same.`;
}
