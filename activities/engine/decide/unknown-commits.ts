import { isFinal, type UnknownOutcome } from '../../../contracts/approvals/unknown-outcome';
import { isEffectLost, requestsIn } from '../../../contracts/commands/evidence';
import type { JournalEntry } from '../../../store/journal/journal';
import type { UnknownCommit } from '../../signatures/engine-activities';

/** The first requests suffice for a person to judge. */
const MAX_REQUESTS = 5;

/**
 * The commits of a step whose outcome is unknown and that neither a person nor the site has resolved, oldest first. A field or an address that
 * has led to requests is one of them.
 */
export function unknownCommits(journal: readonly JournalEntry[]): UnknownCommit[] {
  return journal
    .filter(({ status, resolution }) => status === 'unknown' && !isFinal(resolution))
    .map((entry) => ({ ...toOutcome(entry), isJudged: entry.resolution !== undefined }));
}

function toOutcome({ commandId, action, parameters, target, evidence, pageUrl }: JournalEntry): UnknownOutcome {
  const { role, name } = target ?? {};
  const isNamed = typeof role === 'string' && typeof name === 'string';
  return {
    commandId,
    action,
    what: isNamed ? `${role} "${name}"` : (parameters.selector ?? parameters.key ?? ''),
    ...(isNamed ? { target: { role, name } } : {}),
    ...(parameters.key === undefined ? {} : { key: parameters.key }),
    urlBefore: pageUrl,
    urlAfter: evidence === undefined || evidence.kind === 'executed' ? pageUrl : evidence.urlAfter,
    ...(evidence?.kind === 'unobserved' ? { eventDelivered: evidence.eventDelivered } : {}),
    ...(evidence?.kind === 'forgotten' ? { witnesses: evidence.witnesses } : {}),
    requests: requestsIn(evidence)
      .slice(0, MAX_REQUESTS)
      .map(({ method, url, status, failure }) => ({
        method,
        url,
        ...(status === undefined ? {} : { status }),
        ...(failure === undefined ? {} : { failure }),
      })),
  };
}

/**
 * Ids of the commands that were lost with a commit that did not happen: the browser is gone, and with it the input that
 * the commit needed. If the commit had happened, the input would not be needed again.
 */
export function lostWithCommits(journal: readonly JournalEntry[]): Set<string> {
  const lost = new Set<string>();
  let sinceCommit: string[] = [];
  for (const { commandId, effect, status, evidence, resolution } of journal) {
    if (effect === 'idempotent' && status === 'done') sinceCommit.push(commandId);
    if (effect !== 'commit' || status === 'failed') continue;
    if (isEffectLost(evidence) && resolution?.happened === false) sinceCommit.forEach((id) => lost.add(id));
    sinceCommit = [];
  }
  return lost;
}
