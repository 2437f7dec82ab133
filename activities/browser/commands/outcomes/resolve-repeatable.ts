import type { Page } from 'playwright';
import type { KeeperEvidence } from '../../../../contracts/browsers/keeper';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../../store/journal/journal';
import type { KeeperClient } from '../../attach/keeper-client';
import { withinMs } from '../../../../runtime/time-limit';
import { EngineError } from '../../../activity/failures';
import type { BatchContext } from '../batch-context';
import { findTarget } from '../../targets/find-target';
import { closeIntent } from './close-intent';
import { describeEvidenceSince, wasWatchedSince } from './evidence-text';

const LOOK_LIMIT_MS = 1000;

/** What became of a repeatable command whose end nobody saw. */
export type RepeatableResolution =
  'harmless' | 'done' | { status: 'failed' | 'unknown'; code: string; message: string };

/** Requests that scripts send. */
const OF_SCRIPTS = ['fetch', 'xmlhttprequest', 'beacon'];

/**
 * Finds out whether a command that may usually be repeated (open, fill, select) may run again after its worker was lost.
 * A page may submit what is typed or selected, and an address may act when it is opened, so the requests since the intent
 * are consulted. Without any it may run; for a time in which nobody watched, the page itself is asked for them. What the
 * page shows to be done is done. With requests and without that it is unknown, as a commit is. Where only the page may have
 * sent something it has failed: the model decides on what the page has become.
 */
export async function resolveRepeatable(
  context: BatchContext,
  keeper: KeeperClient,
  command: PlannedCommand,
  { intendedAt, pageUrl }: JournalEntry,
): Promise<RepeatableResolution> {
  const { attachment, sessionId, signal } = context;
  await attachment.watch.waitForNavigationResponse(signal);
  await attachment.watch.settle(attachment.page, signal);
  const evidence = await keeper.evidence(sessionId, intendedAt, attachment.browserId);
  const isQuiet = evidence.requests.every(({ isUnsent }) => isUnsent === true);
  const wasWatched = wasWatchedSince(evidence, intendedAt);
  if (isQuiet && (wasWatched || (await isUntouched(attachment.page, intendedAt)))) return 'harmless';
  if (await showsAsDone(context, command, evidence)) return 'done';
  const urlAfter = attachment.page.url();
  const message = `Nobody saw ${command.action} come to its end; it is not repeated. ${describeEvidenceSince(evidence, intendedAt)}`;
  const status = isQuiet ? 'failed' : 'unknown';
  const cause = new EngineError(isQuiet ? 'EX001' : 'TL004', message, {
    details: isQuiet ? {} : { outcome: 'unknown' },
  });
  const isDocumentGone = context.values.redact(urlAfter) !== pageUrl;
  const seen = { ...evidence, eventDelivered: !isQuiet && !isDocumentGone, isDocumentGone };
  const error = await closeIntent(context, command, status, cause, {
    kind: 'unobserved',
    urlBefore: pageUrl,
    urlAfter,
    ...seen,
  });
  return { status, code: error.code, message: error.message };
}

/** True when the address was opened and has its response, or the field has what it was meant to have. */
async function showsAsDone(
  { attachment, values, signal }: BatchContext,
  command: PlannedCommand,
  { requests }: KeeperEvidence,
): Promise<boolean> {
  const { selector, text, option, options, mode, checked, url } = values.fill(command.parameters).parameters;
  if (command.action === 'OPEN_PAGE') {
    const isMeant = (address: string): boolean => withoutHash(address) === withoutHash(url ?? '');
    const isThere = requests.length === 0 && isMeant(attachment.page.url());
    return isThere || requests.some((request) => isMeant(request.url) && request.status !== undefined);
  }
  const wanted = text ?? option ?? checked;
  // Of several, or of those that were to go, the page is not asked.
  if (options !== undefined || mode === 'remove') return false;
  if (selector === undefined || wanted === undefined) return false;
  try {
    const element = await findTarget(attachment, command, selector, LOOK_LIMIT_MS, signal);
    return await element.evaluate(
      (field, value) => {
        const same = (one: string): boolean => plain(one) === plain(String(value));
        const plain = (one: string): string => one.replace(/\s+/g, ' ').trim().toLowerCase();
        if (typeof value === 'boolean') return (field as HTMLInputElement).checked === value;
        if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value === value;
        if (!(field instanceof HTMLSelectElement)) return same((field as HTMLElement).innerText);
        return [...field.selectedOptions].some((one) => same(one.label) || same(one.value));
      },
      wanted,
      { timeout: LOOK_LIMIT_MS },
    );
  } catch {
    // The field is gone, or its page does not answer.
    return false;
  }
}

/** True when no document of the page is younger than the intent, and none has had an answer to a script since. */
async function isUntouched(page: Page, intendedAt: Date): Promise<boolean> {
  const since = { from: intendedAt.getTime(), kinds: OF_SCRIPTS };
  const answers = page
    .frames()
    .map((frame) => withinMs(LOOK_LIMIT_MS, frame.evaluate(isOlderAndQuiet, since)).catch(() => false));
  return (await Promise.all(answers)).every(Boolean);
}

/** Runs in the page. */
function isOlderAndQuiet({ from, kinds }: { from: number; kinds: string[] }): boolean {
  const { timeOrigin } = performance;
  const sent = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const isLater = (entry: PerformanceResourceTiming): boolean =>
    kinds.includes(entry.initiatorType) && timeOrigin + entry.startTime >= from;
  return timeOrigin < from && !sent.some(isLater);
}

function withoutHash(url: string): string {
  const address = URL.parse(url);
  if (address === null) return url;
  address.hash = '';
  return address.href;
}
