import { ERROR_CODES } from '../../../../contracts/errors/error-codes';
import { requestsIn, type ObservedRequest } from '../../../../contracts/commands/evidence';
import type { CommandOutcome, DecisionRequest } from '../../port';
import { isMet, isIntentMet } from './expectations';
import type { Action } from '../grammar/intent';
import { outcomeUnknown, expectationFailed, failedPermanently } from './messages';
import type { Page } from '../matching/page-index';
import { normal } from '../matching/name-match';
import { iterationsOfThisTry, actionState } from './progress';
import { findValue } from '../matching/find-value';

/** What to make of the action that comes next, seeing how it went so far. */
export type Verdict =
  | { kind: 'go' }
  /** It failed and is worth another try. */
  | { kind: 'again' }
  /** Nobody saw it end, but what came of it is there. */
  | { kind: 'settled' }
  | { kind: 'hopeless'; message: string }
  /** Nobody saw it end, and nothing tells whether it happened. */
  | { kind: 'unknowable'; message: string };

const MOST_TRIES = 3;
const { SELECTOR_NOT_FOUND, ELEMENT_NOT_INTERACTABLE, PAGE_LOAD_TIMEOUT } = ERROR_CODES.EXECUTOR;
const WORTH_ANOTHER_TRY = new Set<string>([SELECTOR_NOT_FOUND, ELEMENT_NOT_INTERACTABLE, PAGE_LOAD_TIMEOUT]);

export function judgeOutcome(request: DecisionRequest, page: Page, actions: readonly Action[], next: number): Verdict {
  const action = actions[next];
  if (!action) return { kind: 'go' };
  const state = actionState(next, request.pastIterations);
  if (state.kind === 'unknown') return judgeUnknown(request, action, actions.slice(next + 1), state.outcome);
  if (state.kind !== 'failed') return { kind: 'go' };
  const { outcome } = state;
  const fresh = actionState(next, iterationsOfThisTry(request));
  // All of it lies in an earlier try of the step: this one begins anew.
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

/** A click is never repeated without knowing. It counts as done when what was expected of it is there, or the server took it. */
function judgeUnknown(
  request: DecisionRequest,
  action: Action,
  following: readonly Action[],
  outcome: CommandOutcome,
): Verdict {
  const expected = following
    .slice(0, firstCommit(following))
    .map(({ intent }) => isIntentMet(request.snapshot, intent));
  const isShown = expected.includes(true) && !expected.includes(false);
  if (isShown || wasAccepted(outcome.evidence) || hasNavigated(outcome.evidence)) return { kind: 'settled' };
  return { kind: 'unknowable', message: outcomeUnknown(request, action, outcome) };
}

function firstCommit(actions: readonly Action[]): number {
  const at = actions.findIndex(({ intent }) => intent.kind !== 'expect' && intent.kind !== 'wait');
  return at === -1 ? actions.length : at;
}

/** True when a request that changes something was answered with success. */
function wasAccepted(evidence: CommandOutcome['evidence']): boolean {
  return requestsIn(evidence).some((request) => {
    const { status = 0 } = request;
    return isChange(request) && status > 0 && status < 400;
  });
}

function isChange({ method }: ObservedRequest): boolean {
  return !/^(?:GET|HEAD|OPTIONS)$/i.test(method);
}

/**
 * True when the document that was clicked in has made way for one with another address: a link was followed. Of a form
 * that was sent the response says more: a page that reports an error has another address too.
 */
function hasNavigated(evidence: CommandOutcome['evidence']): boolean {
  if (evidence?.kind !== 'unobserved' || !evidence.isDocumentGone || evidence.requests.some(isChange)) return false;
  const { urlBefore, urlAfter } = evidence;
  return urlBefore !== urlAfter && !urlAfter.startsWith('chrome-error:');
}

function isMetNow(request: DecisionRequest, page: Page, action: Action, outcome: CommandOutcome): boolean {
  const { intent } = action;
  if (intent.kind !== 'expect-element' || outcome.parameters.selector === undefined) {
    return isMet(request.snapshot, outcome.parameters) === true;
  }
  const found = findValue(page, intent.target, intent.text);
  if (found.kind !== 'one') return found.kind === 'none' && intent.absent === true;
  const isShown = intent.text === undefined || normal(found.item.text).includes(normal(intent.text));
  return isShown !== (intent.absent ?? false);
}
