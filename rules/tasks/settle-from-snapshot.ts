import { ERROR_CODES } from '../../contracts/errors/error-codes';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { containsText } from '../page-text/contains-text';
import { savedValue } from '../page-text/saved-value';
import { refIn } from '../page-text/durable-target';
import type { PastCommand } from '../../contracts/model-port/port';
import { isInState } from '../planning/conditions';
import { isMet } from '../planning/expectations';
import { indexPage, type Item } from '../matching/page-index';

export type SettledOutcome = Pick<PastCommand, 'status' | 'error' | 'savedVariable'>;

/** Settles an expectation, or the reading of a text, from the snapshot; null for a command that needs a tool. */
export function settleFromSnapshot(
  snapshot: PageSnapshot,
  { action, parameters }: AIGeneratedCommand,
): SettledOutcome | null {
  if (action === 'SAVE_VARIABLE') {
    const item = itemOf(snapshot, parameters.selector);
    if (item === undefined) return failed(`There is nothing to read at ${parameters.selector}.`);
    const text = (item.text || item.label).trim();
    const value = savedValue(text, parameters);
    if (value === undefined) return failed(`“${text.slice(0, 200)}” has no single number to save.`);
    return { status: 'done', savedVariable: { name: parameters.variableName ?? '', value } };
  }
  if (action !== 'EXPECT') return null;
  const { selector, text, url, title, absent, roles, count, matchCase, state } = parameters;
  if (count !== undefined)
    return isMet(snapshot, parameters) === true
      ? { status: 'done' }
      : failed(`Expected ${count} of the role ${roles?.join(' or ')}.`);
  if (selector !== undefined) {
    const item = itemOf(snapshot, selector);
    const isThere =
      item !== undefined &&
      (state === undefined || isInState(item.node, item, state) === true) &&
      (text === undefined || containsText(`${item.label} ${item.text}`, text, matchCase));
    return isThere !== (absent ?? false)
      ? { status: 'done' }
      : failed(`The element does not match what was expected: ${text ?? state ?? selector}.`);
  }
  if (isMet(snapshot, parameters) === true) return { status: 'done' };
  // The text may still appear, so a tool waits for it. It would not look at the role.
  if (text !== undefined && roles === undefined) return null;
  if (roles !== undefined) return failed(`Expected ${roles[0]}${text === undefined ? '' : ` “${text}”`}.`);
  return failed(`Expected ${url === undefined ? `a title with “${title}”` : `an address with “${url}”`}.`);
}

/** The variable that a command has saved. */
export function savedVariables({ savedVariable }: PastCommand): { name: string; value: string }[] {
  return savedVariable === undefined ? [] : [savedVariable];
}

function itemOf(snapshot: PageSnapshot, selector: string | undefined): Item | undefined {
  const ref = selector === undefined ? undefined : refIn(selector);
  return indexPage(snapshot).items.find(({ node }) => ref !== undefined && node?.ref === ref);
}

function failed(message: string): SettledOutcome {
  return { status: 'failed', error: { code: ERROR_CODES.EXECUTOR.SELECTOR_NOT_FOUND, message } };
}
