import { REJECTED_TEXT } from '../../contracts/approvals/approval-policy';
import { notAllowed } from '../../contracts/browsers/origins';
import { blockedNavigationOf } from '../../contracts/commands/evidence';
import type { PastCommand, DecisionRequest } from '../../contracts/model-port/port';
import { describePage } from './replies';
import type { Action } from '../language/intent';
import type { Item, Page } from '../matching/page-index';
import type { TargetSearch } from '../matching/resolution';
import { describeItem, kindOf, listAlternatives, truncate, describeLocation } from '../matching/item-text';

const SET_A_MODEL = 'For free-form instructions set a language model, e.g. SUREFOOT_MODEL=vertexai/gemini-2.5-pro.';

const UNDERSTOOD =
  'open https://…; click X; in the row Y, click X; type "text" into X; choose "M" in X; check or uncheck X; press Enter; search for "text"; ' +
  'if "X" is shown, click it; click "Next" until "X" is shown; save X as name; expect "text"; check that the URL contains /path; wait for X; go back; scroll down; ' +
  'switch to the new tab; accept the dialog';

/** The message for a clause that the grammar does not contain. */
export function notUnderstood(clause: string, hint: string | undefined): string {
  const why = hint ? ` ${hint}` : '';
  return `I do not understand “${truncate(clause)}”.${why} Without a language model I follow plain steps: ${UNDERSTOOD}. Names and texts with "and" or commas go in quotes. ${SET_A_MODEL}`;
}

export function unknownVariable(name: string, known: readonly string[]): string {
  const have = known.length > 0 ? `Known variables: ${known.join(', ')}.` : 'No variable is known yet.';
  return `There is no variable “${name}” for \${${name}}. ${have} Give it when the session starts, or save it first: save X as ${name}.`;
}

export function secretNames(name: string): string {
  return `\${${name}} stands in a name here, and its value is a secret or not known to the model: it can be typed into a field, and names nothing on a page. Write the name itself.`;
}

export function noPageYet(said: string): string {
  return `To “${truncate(said)}” a page must be there, but no page is open yet; start with: open https://…`;
}

/** Says what was not found, on which page, and what the page has instead. */
export function notFound(request: DecisionRequest, page: Page, resolution: TargetSearch & { kind: 'absent' }): string {
  if (resolution.detail !== undefined) return `On ${describePage(request)} ${resolution.detail}`;
  const { target, purpose } = resolution;
  const joined =
    / and /i.test(target.said) && !target.isQuoted
      ? ' If “and” joins two actions there, the second is none that I know.'
      : '';
  const instead = listAlternatives(page, purpose, target.said);
  return `I looked for “${truncate(target.said)}” on ${describePage(request)} and did not find it. ${instead}${joined}`.trim();
}

const MOST_LISTED = 5;

/** Lists equal matches with their locations, and suggests words that distinguish them. */
export function ambiguous(page: Page, resolution: TargetSearch & { kind: 'several' }): string {
  const { target, items } = resolution;
  const listed = items
    .slice(0, MOST_LISTED)
    .map((item, at) => `(${at + 1}) ${kindOf(item)} “${truncate(nameOf(item))}” ${describeLocation(page, item).place}`);
  const more = items.length > MOST_LISTED ? ` and ${items.length - MOST_LISTED} more` : '';
  const landmark = items.map((item) => describeLocation(page, item).landmark).find((text) => text !== undefined);
  const [first] = items;
  const name = first ? `${nameOf(first)} ${kindOf(first)}` : target.said;
  const beside = landmark === undefined ? '' : ` or “the ${name} next to ${landmark}”`;
  return `“${truncate(target.said)}” fits ${items.length} things equally well: ${listed.join('; ')}${more}. Say which one, for example “the first ${name}”${beside}.`;
}

const nameOf = (item: Item): string => truncate(item.label || item.hints[0] || item.text || 'without a name');

export function questionOpen({ said }: Action, dialog: Item): string {
  return `“${truncate(said)}” is not done: the page asks first: “${truncate(dialog.text, 200)}”. Say in the step what is to be answered, for example: ${truncate(said)}, then confirm.`;
}

export function notSaved(said: string, field: Item): string {
  return `“${truncate(said)}” is not done: the value stands in ${describeItem(field)}, Enter has not saved it, and no button beside it says that it would. Say in the step what is to be pressed.`;
}

export function expectationFailed(request: DecisionRequest, outcome: PastCommand): string {
  const { text, url, title, absent, selector } = outcome.parameters;
  const sought = [
    text && `“${text}”`,
    url && `the address to contain “${url}”`,
    title && `the title to contain “${title}”`,
  ]
    .filter(Boolean)
    .join(' and ');
  const what = sought || (selector ? 'an element' : 'something');
  const verdict = absent ? 'it is there' : text === undefined ? 'it does not' : 'the page does not show it';
  const expected = text === undefined ? `Expected ${what}` : `Expected ${absent ? 'not ' : ''}to see ${what}`;
  return `${expected}, but ${verdict}: ${describePage(request)}.${browserErrorText(outcome)}`;
}

export function failedPermanently(
  request: DecisionRequest,
  action: Action,
  outcome: PastCommand,
  tries: number,
): string {
  const times = tries > 1 ? ` after ${tries} tries` : '';
  return `“${truncate(action.said)}” failed${times} on ${describePage(request)}.${browserErrorText(outcome) || ' The browser gave no reason.'}`;
}

export function outcomeUnknown(request: DecisionRequest, action: Action, outcome: PastCommand): string {
  return (
    `I cannot know whether “${truncate(action.said)}” took effect: the worker was lost while ${outcome.action} ran, and neither the page ` +
    `${describePage(request)} nor the requests since then show it. Repeating it could do it twice. Look at the page, then go on from there.`
  );
}

export function navigationBlocked({ action, evidence }: PastCommand): string {
  return `${action} was done, and it led to a page that was blocked: ${notAllowed(blockedNavigationOf(evidence) ?? '')} It is not repeated. Look at the site, then go on from there.`;
}

export function doneByRecipe({ action, parameters }: PastCommand): string {
  const what = parameters.selector ?? parameters.key ?? '';
  return `A recipe has done ${action} ${truncate(what)} in this step, and what had to follow did not come. Which part of the step that was is not known, so nothing of it is done again. Look at the site, then go on from there. ${SET_A_MODEL}`;
}

export function stillToDo(request: DecisionRequest, actions: readonly Action[]): string {
  const rest = actions.map(({ said }) => `“${truncate(said)}”`).join(', ');
  return `All ${request.maxIterations} iterations are used up and this is not done yet: ${rest}. The page is ${describePage(request)}.`;
}

/** The message for a repetition whose end does not come. */
export function endNeverCame(request: DecisionRequest, action: Action, rounds: number): string {
  return `I did “${truncate(action.said)}” ${rounds} times, and what it should end with is not so on ${describePage(request)}. I stop here.`;
}

function browserErrorText({ error }: PastCommand): string {
  if (!error) return '';
  // The browser never got this call.
  if (error.message.startsWith(REJECTED_TEXT))
    return ` A person rejected it; change the task so that it does without, or start it again and approve.${error.message.slice(REJECTED_TEXT.length)}`;
  return ` The browser said: ${error.message} (${error.code}).`;
}
