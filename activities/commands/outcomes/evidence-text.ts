import type { KeeperEvidence } from '../../../contracts/browsers/keeper';

/** The keeper's evidence since a commit was intended, in a sentence. What was not watched can't be told from silence. */
export function describeEvidenceSince({ requests, watchedSince, gaps }: KeeperEvidence, intendedAt: Date): string {
  const told = requests.map(({ method, url, status }) => `${method} ${url} ${status ?? 'no answer'}`).join(', ');
  const seen = told === '' ? 'No request was seen since.' : `Requests since: ${told}.`;
  const from = intendedAt.getTime();
  const wasWatched =
    Date.parse(watchedSince) <= from && gaps.every(({ to }) => to !== undefined && Date.parse(to) <= from);
  return wasWatched
    ? seen
    : `${seen} Not all of that time was watched: a request that is not listed may have been sent all the same.`;
}
