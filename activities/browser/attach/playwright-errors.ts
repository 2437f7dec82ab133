import { errors } from 'playwright';
import type { ErrorCode } from '../../../contracts/errors/error-codes';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import type { BrowserAction } from '../../../contracts/commands/commands';
import { pageCommands } from '../../../contracts/commands/definitions/pages';
import { EngineError } from '../../activity/failures';
import { errorMessage } from '../../../contracts/errors/error-message';

const TARGET_CLOSED =
  /Target (page, context or browser has been )?closed|Target crashed|Browser has been closed|browser has disconnected|Connection closed/i;

/** What a server of Playwright's says as it closes; Playwright puts the name of each call that this ended before it. */
const CLOSED_BY_SERVER = /^(?:\w+\.\w+: )*(?:Browser closed|Page crashed)$/m;
const NAMES_OF_CALLS = /^(?:\w+\.\w+: )+/;

/** Playwright fails to adopt an element also where the connection closed under way: it takes no answer for another document. */
const DOCUMENT_GONE =
  /Inspected target navigated or closed|Execution context was destroyed|Cannot find context with specified id|Promise was collected|Unable to adopt element handle/i;

/** All that Chrome learns from its proxy; what the policy blocked is logged as well. */
const UNREACHED = /(net::ERR_(?:EMPTY_RESPONSE|CONNECTION_RESET|TUNNEL_CONNECTION_FAILED)) at (\S+)/;

/** What the other browsers say of an address that could not be opened. */
const UNOPENED = /NS_ERROR_|SEC_ERROR_|browsingContext\.navigate\): unknown error|^page\.goto: Could not connect/;

/** True when the page, its browser or the connection ended: that says nothing about the command itself. */
export function isTargetClosed(error: unknown): boolean {
  return error instanceof Error && (TARGET_CLOSED.test(error.message) || CLOSED_BY_SERVER.test(error.message));
}

/** True when the document that was asked went away before it had answered, as after a script that leaves its page. */
export function isDocumentGone(error: unknown): boolean {
  return error instanceof Error && DOCUMENT_GONE.test(error.message);
}

/**
 * Turns a closed-target error into a closed-relay error when the connection is lost, so that another attempt opens a
 * new one.
 */
export async function asConnectionLoss(error: unknown, attachment: { isLost(): Promise<boolean> }): Promise<unknown> {
  return isTargetClosed(error) && (await attachment.isLost()) ? relayClosedError(error) : error;
}

/** The keeper was replaced, or a newer lease cut the connection; the next attempt opens a new one. */
export function relayClosedError(cause: unknown): EngineError {
  return new EngineError('EX001', 'The relay to the browser was closed; the next attempt opens it again.', {
    isTemporary: true,
    cause,
  });
}

/** What an error of Playwright's says in its first line, without the names of its calls. */
export function saidBy(error: unknown): string {
  const [first = ''] = errorMessage(error).split('\n');
  return first.replace(NAMES_OF_CALLS, '');
}

/** True for a timeout, which does not say whether the command acted: its response may still come. */
export function isTimeout(error: unknown): boolean {
  return error instanceof errors.TimeoutError;
}

/** For what only Chrome's DevTools can do. */
export function noDevToolsError(browserType = 'this browser'): EngineError {
  return new EngineError(
    'TL004',
    `Expected a chromium session, got one in ${browserType}: only Chrome's DevTools can do this.`,
    {
      suggestedAction: 'Start the session with browserType chromium.',
    },
  );
}

export function browserGoneError(cause: unknown): EngineError {
  return new EngineError('EX001', 'The page or its browser went away.', { type: BROWSER_GONE, cause });
}

/** Turns Playwright's error into an EngineError: its first line and the reason it names, without the call log. */
export function toCommandError(error: unknown, action: BrowserAction): EngineError {
  if (error instanceof EngineError) return error;
  const message = errorMessage(error);
  if (isTargetClosed(error)) return browserGoneError(error);
  const [first = ''] = message.split('\n');
  const unreached = UNREACHED.exec(first);
  if (unreached !== null)
    return new EngineError(
      'TL002',
      `${unreached[2]} could not be opened: its host was not found, could not be reached or closed the connection without a response (${unreached[1]}).`,
      { cause: error, suggestedAction: 'Check that the address answers from the host of the browser.' },
    );
  if (UNOPENED.test(first))
    return new EngineError(
      'TL002',
      'The page could not be opened: its host was not found, could not be reached or closed the connection without a response.',
      { cause: error, suggestedAction: 'Check that the address answers from the host of the browser.' },
    );
  const reason =
    /^.*?(<.*> (?:from <.*> subtree )?intercepts pointer events|element is (?:not visible|not enabled|not stable|outside of the viewport))/m.exec(
      message.slice(first.length),
    )?.[1];
  const what = isTimeout(error) ? timeoutText(message) : saidBy(error);
  const text = what + (reason === undefined ? '' : ` The last try found: ${reason.trim()}.`);
  return new EngineError(codeFor(error, action), text, { cause: error });
}

/** Playwright's message is its first line, “page.goto: Timeout 3000ms exceeded.”, and its call log. */
function timeoutText(message: string): string {
  const [, limitMs] = /Timeout (\d+)ms exceeded/.exec(message) ?? [];
  const within = limitMs === undefined ? 'in time' : `within ${Number(limitMs) / 1000} s`;
  const [, url] = /navigating to "([^"]+)"/.exec(message) ?? [];
  return url === undefined ? `It was not possible ${within}.` : `${url} did not load ${within}.`;
}

/** True for Playwright's error about a page whose connection broke, or that could not be reached. */
export function isNetworkError(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('net::ERR_');
}

function codeFor(error: unknown, action: BrowserAction): ErrorCode {
  if (isTimeout(error)) return action in pageCommands ? 'EX004' : 'EX003';
  return isNetworkError(error) ? 'TL002' : 'TL004';
}
