import { webOriginOf } from '../../../../contracts/browsers/origins';
import {
  downloadSentences,
  requestsIn,
  type CommandEvidence,
  type LostWith,
  type ObservedRequest,
} from '../../../../contracts/commands/evidence';
import { oneLine, shortened } from '../../../../contracts/text';

const LOST_WITH: Record<LostWith, string> = {
  browser: 'the browser was lost, and may lack what it did',
  document: 'the page was loaded anew by itself, and lacks what it did',
};
const LONGEST = 400;
const MOST_REQUESTS = 4;
const MOST_CONSOLE_ERRORS = 2;

/** What was seen while a command ran, for a model: in words, without what is empty and what is not the page's own. */
export function observedText(evidence: CommandEvidence | undefined): string {
  if (evidence === undefined || evidence.kind === 'executed') return '';
  const { urlBefore, urlAfter, dialogs = [] } = evidence;
  const facts = [
    ...(urlAfter === urlBefore ? [] : [`now at ${urlAfter}`]),
    ...dialogs.map(
      ({ type, message, accepted }) =>
        `dialog ${type} “${oneLine(message, 120)}”${accepted === undefined ? '' : accepted ? ' accepted' : ' dismissed'}`,
    ),
    ...requestFacts(evidence),
    ...(evidence.kind === 'unobserved' ? unobservedFacts(evidence) : []),
    ...(evidence.kind === 'observed' ? downloadSentences(evidence.downloads ?? []) : []),
    ...(evidence.kind === 'observed' ? consoleFacts(evidence) : []),
    ...('lostWith' in evidence && evidence.lostWith !== undefined ? [LOST_WITH[evidence.lostWith]] : []),
  ];
  return shortened(facts.join('; '), LONGEST);
}

/** Requests that may have changed something. A document that was opened shows in the address. */
function requestFacts(evidence: Exclude<CommandEvidence, { kind: 'executed' }>): string[] {
  const sent = changingRequests(evidence);
  const left = sent.length - MOST_REQUESTS;
  return [
    ...sent
      .slice(0, MOST_REQUESTS)
      .map(
        ({ method, url, status, failure }) =>
          `${method} ${pathOf(url, evidence)} ${status ?? failure ?? 'no answer yet'}`,
      ),
    ...(left > 0 ? [`${left} more requests`] : []),
  ];
}

function changingRequests(evidence: Exclude<CommandEvidence, { kind: 'executed' }>): ObservedRequest[] {
  return requestsIn(evidence).filter(({ method, url }) => method !== 'GET' && isOfPage(url, evidence));
}

function unobservedFacts({
  eventDelivered,
  isDocumentGone,
}: Extract<CommandEvidence, { kind: 'unobserved' }>): string[] {
  return [...(eventDelivered ? ['the page got its event'] : []), ...(isDocumentGone ? ['its page is gone'] : [])];
}

function consoleFacts(evidence: Extract<CommandEvidence, { kind: 'observed' }>): string[] {
  const reported = changingRequests(evidence).map(({ url }) => url);
  const own = evidence.consoleErrors.filter((error) => {
    const urls = urlsIn(error);
    // Chrome repeats in the console what the request has said already.
    const isRepeated = error.startsWith('Failed to load resource') && urls.some((url) => reported.includes(url));
    return !/favicon/i.test(error) && !isRepeated && urls.every((url) => isOfPage(url, evidence));
  });
  return own.slice(0, MOST_CONSOLE_ERRORS).map((error) => `console error “${oneLine(error, 150)}”`);
}

function urlsIn(text: string): string[] {
  return text.match(/https?:\/\/[^\s"')]+/g) ?? [];
}

type Addresses = { urlBefore: string; urlAfter: string };

/** Whether a request goes to the site of the page. An address that can't be read is taken as the page's own. */
function isOfPage(url: string, { urlBefore, urlAfter }: Addresses): boolean {
  const origin = webOriginOf(url);
  return origin === undefined || [urlBefore, urlAfter].some((page) => siteOf(webOriginOf(page)) === siteOf(origin));
}

/** The last two labels of the host: a page's own API is often on a host of its own. */
function siteOf(origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined;
  const { hostname } = new URL(origin);
  return /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}

function pathOf(url: string, { urlAfter }: Addresses): string {
  const origin = webOriginOf(url);
  return origin !== undefined && origin === webOriginOf(urlAfter) ? url.slice(origin.length) : url;
}
