import { ERROR_CODES } from '../../contracts/errors/error-codes';
import { requestsIn, type ObservedRequest } from '../../contracts/commands/evidence';
import type { PastCommand, DecisionRequest } from '../../contracts/model-port/port';
import { isMet, isIntentMet } from './expectations';
import type { Action } from '../language/intent';
import { outcomeUnknown, expectationFailed, failedPermanently } from './messages';
import type { Page } from '../matching/page-index';
import { containsText } from '../page-text/contains-text';
import { iterationsOfThisTry, actionState } from './progress';
import { findValue } from '../matching/find-value';

/** What to do with the next action after its outcomes so far. */
export type Verdict =
  | { kind: 'go' }
  /** It failed and may be tried again. */
  | { kind: 'again' }
  /** Its outcome is unknown, but its effect is on the page. */
  | { kind: 'settled' }
  | { kind: 'hopeless'; message: string }
  /** Its outcome is unknown, and nothing shows whether it happened. */
  | { kind: 'unknowable'; message: string };

const MOST_TRIES = 3;
const { BROWSER_LAUNCH_FAILED, SELECTOR_NOT_FOUND, ELEMENT_NOT_INTERACTABLE, PAGE_LOAD_TIMEOUT } = ERROR_CODES.EXECUTOR;
/** EX001 is any trouble with the browser itself: the page is there again when the next call is made. */
const WORTH_ANOTHER_TRY = new Set<string>([
  BROWSER_LAUNCH_FAILED,
  SELECTOR_NOT_FOUND,
  ELEMENT_NOT_INTERACTABLE,
  PAGE_LOAD_TIMEOUT,
]);

export function judgeOutcome(request: DecisionRequest, page: Page, actions: readonly Action[], next: number): Verdict {
  const action = actions[next];
  if (!action) return { kind: 'go' };
  const state = actionState(next, request.pastIterations);
  if (state.kind === 'unknown') return judgeUnknown(request, action, actions.slice(next + 1), state.outcome);
  if (state.kind !== 'failed') return { kind: 'go' };
  const { outcome } = state;
  const fresh = actionState(next, iterationsOfThisTry(request));
  // The failures belong to an earlier try of the step.
  if (fresh.kind === 'open' && request.triedFrom !== undefined) return { kind: 'again' };
  const failures = fresh.kind === 'failed' ? fresh.failures : state.failures;
  const isExpectation = outcome.action === 'EXPECT';
  if (isExpectation && !isMetNow(request, page, action, outcome))
    return { kind: 'hopeless', message: expectationFailed(request, outcome) };
  const isWorthwhile =
    isExpectation ||
    WORTH_ANOTHER_TRY.has(outcome.error?.code ?? '') ||
    /time(?:d )?-?out/i.test(outcome.error?.message ?? '');
  if (isWorthwhile && failures < MOST_TRIES) return { kind: 'again' };
  return { kind: 'hopeless', message: failedPermanently(request, action, outcome, failures) };
}

/** A click of unknown outcome is never repeated. It counts as done when its effect is visible or the server accepted its request. */
function judgeUnknown(
  request: DecisionRequest,
  action: Action,
  following: readonly Action[],
  outcome: PastCommand,
): Verdict {
  const expected = following
    .slice(0, firstCommit(following))
    .map(({ intent }) => isIntentMet(request.snapshot, intent));
  const isShown = expected.includes(true) && !expected.includes(false);
  if (isShown || wasAccepted(outcome.evidence) || hasNavigated(outcome.evidence) || wasReloaded(outcome))
    return { kind: 'settled' };
  return { kind: 'unknowable', message: outcomeUnknown(request, action, outcome) };
}

function firstCommit(actions: readonly Action[]): number {
  const at = actions.findIndex(({ intent }) => intent.kind !== 'expect' && intent.kind !== 'wait');
  return at === -1 ? actions.length : at;
}

/** Whether a request that changes something was answered with success. */
function wasAccepted(evidence: PastCommand['evidence']): boolean {
  return requestsIn(evidence).some((request) => {
    const { status = 0 } = request;
    return isChange(request) && status > 0 && status < 400;
  });
}

/** Whether the page was asked for again and came: it has its old address. */
function wasReloaded({ action, evidence }: PastCommand): boolean {
  return action === 'RELOAD_PAGE' && requestsIn(evidence).some(({ status = 0 }) => status > 0 && status < 400);
}

function isChange({ method }: ObservedRequest): boolean {
  return !/^(?:GET|HEAD|OPTIONS)$/i.test(method);
}

/**
 * Whether a link was followed: the clicked document was replaced by one with another address. A form is judged by its
 * response instead, because a page with an error has another address too.
 */
function hasNavigated(evidence: PastCommand['evidence']): boolean {
  if (evidence?.kind !== 'unobserved' || !evidence.isDocumentGone || evidence.requests.some(isChange)) return false;
  const { urlBefore, urlAfter } = evidence;
  return urlBefore !== urlAfter && !urlAfter.startsWith('chrome-error:');
}

function isMetNow(request: DecisionRequest, page: Page, action: Action, outcome: PastCommand): boolean {
  const { intent } = action;
  if (intent.kind !== 'expect-element' || outcome.parameters.selector === undefined) {
    return isMet(request.snapshot, outcome.parameters) === true;
  }
  const found = findValue(page, intent.target, intent.text);
  if (found.kind !== 'one') return found.kind === 'none' && intent.absent === true;
  const isShown = intent.text === undefined || containsText(found.item.text, intent.text);
  return isShown !== (intent.absent ?? false);
}
