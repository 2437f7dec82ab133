import { ERROR_CODES } from '../../contracts/errors/error-codes';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { GeneratedCall } from '../../contracts/model-port/language-model';
import type { PastCommand, PastTurn } from '../../contracts/model-port/port';
import { refIn } from '../page-text/durable-target';
import { BLANK_SNAPSHOT } from '../../contracts/browsers/page-snapshot';
import { isMet } from '../planning/expectations';
import { settleFromSnapshot, type SettledOutcome } from './settle-from-snapshot';
import { toToolCall, type ToolCallResult } from './tool-calls';
import { parsePage, toToolRef } from './parsed-page';

/** The page of a remote browser. `unread`: it may have changed since it was read. `touched`: only fields were filled in since. */
export interface RemotePage {
  kind: 'unread' | 'touched' | 'read';
  snapshot: PageSnapshot;
}

const READ: GeneratedCall = { name: 'read_page', args: '{}' };
const POLL: GeneratedCall = { name: 'computer', args: JSON.stringify({ action: 'wait', duration: 1 }) };
export const READING = [READ];
export const POLLING = [POLL, READ];
const EXPECTED_WITHIN_S = 5;
const AWAITED_WITHIN_S = 15;
const MOST_FAILED_READS = 3;
/** The error of a tool that found no element for a ref, so it has changed nothing. */
const STALE = /read it again/i;

/**
 * The page of the last read_page of this task, if no later call may have changed it. Filling in fields keeps refs valid,
 * while its effect on the page shows only in the next read_page.
 */
export function remotePageOf(past: readonly PastTurn[], text: string): RemotePage {
  const calls = past.flatMap(({ calls: named, outcomes: ends }) =>
    named.map((name, index) => ({ name, end: ends[index] })),
  );
  const unread: RemotePage = { kind: 'unread', snapshot: BLANK_SNAPSHOT };
  let isTouched = false;
  for (const { name, end } of calls.toReversed()) {
    if (name === 'read_page' && end?.status === 'done')
      return { kind: isTouched ? 'touched' : 'read', snapshot: parsePage(text) };
    if (name !== 'form_input' || end?.status !== 'done') return unread;
    isTouched = true;
  }
  return unread;
}

/** The error of read_page after the last allowed attempt; undefined before. */
export function readFailure(past: readonly PastTurn[]): string | undefined {
  const last = past.slice(-MOST_FAILED_READS).map(({ outcomes: ends }) => ends.at(-1));
  const isGivenUp = last.length === MOST_FAILED_READS && last.every((end) => end?.status === 'failed');
  return isGivenUp ? (last.at(-1)?.error?.message ?? 'The page can’t be read.') : undefined;
}

export type CommandCheck = { kind: 'seen'; here: SettledOutcome } | { kind: 'await'; key: string } | { kind: 'call' };

/** Checks a command against the page. The remote tools can't wait for a text, so the page is polled. */
export function checkOnPage(
  snapshot: PageSnapshot,
  command: AIGeneratedCommand,
  action: number,
  past: readonly string[],
): CommandCheck {
  const { action: kind, parameters } = command;
  const { text, hidden, absent, seconds, selector } = parameters;
  const isAwaited = text !== undefined && selector === undefined && (kind === 'WAIT_FOR' || kind === 'EXPECT');
  if (!isAwaited) {
    const here = settleFromSnapshot(snapshot, command);
    return here === null ? { kind: 'call' } : { kind: 'seen', here };
  }
  const expected =
    kind === 'EXPECT' ? { ...parameters } : { text, ...(hidden === true ? { absent: true as const } : {}) };
  if (isMet(snapshot, expected) === true) return { kind: 'seen', here: { status: 'done' } };
  const key = `${action} ${text}`;
  const limit = seconds ?? (kind === 'EXPECT' ? EXPECTED_WITHIN_S : AWAITED_WITHIN_S);
  if (past.filter((each) => each === key).length < limit) return { kind: 'await', key };
  const what = hidden === true || absent === true ? 'is still there' : 'did not appear';
  const message = `“${text}” ${what} within ${limit} s.`;
  return {
    kind: 'seen',
    here: { status: 'failed', error: { code: ERROR_CODES.EXECUTOR.SELECTOR_NOT_FOUND, message } },
  };
}

/** Converts a command to calls of the remote tools. A key for an element takes a click before it, for the focus. */
export function toRemoteCalls(
  command: AIGeneratedCommand,
): (ToolCallResult & { kind: 'impossible' }) | { kind: 'calls'; calls: GeneratedCall[] } {
  const { action, parameters } = command;
  if (action === 'WAIT_FOR') {
    const duration = Math.min(parameters.seconds ?? 1, 30);
    return { kind: 'calls', calls: [{ name: 'computer', args: JSON.stringify({ action: 'wait', duration }) }] };
  }
  const ref = parameters.selector === undefined ? undefined : refIn(parameters.selector);
  const made = toToolCall(command);
  if (made.kind === 'impossible') return made;
  const args = JSON.parse(made.call.args) as Record<string, unknown>;
  if (/\$\{\w+\}/.test(made.call.args))
    return {
      kind: 'impossible',
      message: 'The values of variables are not sent to a remote browser; write them into the task.',
    };
  const target = ref === undefined ? {} : { ref: toToolRef(ref) };
  const calling = (name: string, more: object): GeneratedCall => ({ name, args: JSON.stringify(more) });
  if (action !== 'PRESS_KEY' || ref === undefined)
    return { kind: 'calls', calls: [calling(made.call.name, { ...args, ...target })] };
  // A key goes to the focused element.
  const { ref: _, ...key } = args;
  return {
    kind: 'calls',
    calls: [calling('computer', { action: 'left_click', ...target }), calling(made.call.name, key)],
  };
}

/** Whether calls may change the page beyond the values of fields. */
export function mayChangeRemotePage(calls: readonly GeneratedCall[]): boolean {
  return calls.some(({ name }) => name !== 'form_input');
}

/** Combines the outcomes of the calls of one command. */
export function combineOutcomes(
  ends: readonly PastTurn['outcomes'][number][],
): Pick<PastCommand, 'status' | 'error'> | undefined {
  const bad = ends.find(({ status }) => status !== 'done');
  if (bad === undefined) return ends.at(-1);
  const { error } = bad;
  if (error === undefined || !STALE.test(error.message)) return bad;
  return { ...bad, error: { ...error, code: ERROR_CODES.EXECUTOR.SELECTOR_NOT_FOUND } };
}
