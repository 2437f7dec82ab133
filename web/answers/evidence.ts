import type { UnknownOutcome } from '../../contracts/approvals/unknown-outcome';

/** What is known of a command of unknown outcome, as sentences that speak for and against that it happened. */
export function evidenceOf({ eventDelivered, urlBefore, urlAfter, requests }: UnknownOutcome): {
  speaksFor: string[];
  speaksAgainst: string[];
} {
  const evidence = { speaksFor: [] as string[], speaksAgainst: [] as string[] };
  const note = (happened: boolean, text: string) => evidence[happened ? 'speaksFor' : 'speaksAgainst'].push(text);
  if (eventDelivered === true) note(true, 'The page has seen its event.');
  if (eventDelivered === false) note(false, 'The page shows no trace of its event.');
  if (urlBefore !== urlAfter) note(true, 'The page has changed its address since.');
  for (const { method, url, status, failure } of requests) {
    const sent = `${method} ${url}`;
    if (status === undefined)
      note(true, `${sent} was sent; whether it arrived is unknown (${failure ?? 'no answer'}).`);
    else note(status < 400, `${sent} was answered with ${status}.`);
  }
  if (requests.length === 0 && eventDelivered !== undefined)
    note(false, 'No request that may change something was seen since.');
  return evidence;
}
