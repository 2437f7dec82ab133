import type { DecisionRequest } from '../../contracts/model-port/port';
import type { Action } from '../language/intent';
import { wordsOf } from '../language/words';
import { selectorOf } from '../matching/item-text';
import { ancestors, isField, type Item, type Page } from '../matching/page-index';
import { buttonFor, isNew, questionOn, sameDeed } from '../matching/read-answer';
import { textOf } from '../matching/read-by-words';
import { SAVES } from '../matching/read-value-only';
import { IN_PART } from '../matching/read-way';
import { notSaved, questionOpen } from './messages';
import { notesOf } from './progress';

interface Question {
  message: string;
  /** The button that does the very deed that the step names. */
  same?: Item;
}

/** What has a field that the last command has filled in, beside two buttons: a dialog that does not say that it is one. */
function filledIn({ pastIterations }: DecisionRequest, page: Page): Item | undefined {
  const last = pastIterations.flatMap(({ outcomes }) => outcomes).at(-1);
  const { text } = last?.parameters ?? {};
  if (last?.action !== 'INPUT_TEXT' || last.status !== 'done' || text === undefined) return undefined;
  const field = page.items.find((item) => isField(item) && item.node?.text === text);
  return field && [...ancestors(field)].slice(0, 2).find((part) => buttonFor(page, part, false) !== undefined);
}

function wasPressed({ pastIterations }: DecisionRequest, button: Item): boolean {
  const last = pastIterations.flatMap(({ outcomes }) => outcomes).at(-1);
  return last?.action === 'CLICK_ELEMENT' && last.parameters.selector === selectorOf(button);
}

const CHANGES = /^(?:set|change|update|correct|adjust|amend|modify|edit|raise|lower|increase|decrease|reduce|put)\s/i;
const NOT_YET =
  /\b(?:don['’]?t|do not|not|never|without)\s+(?:\w+\s+)?(?:sav(?:e|ing)|apply|submit|confirm|press|click|clos(?:e|ing))|\byet\b/i;

/** What saves an editor that was opened for a change: with what was typed there alone nothing is changed. */
function savingOf(
  request: DecisionRequest,
  page: Page,
  asking: Item,
  actions: readonly Action[],
): Question | undefined {
  const change = actions.findLast((action) => CHANGES.test(textOf(action)));
  const isOpened = request.pastIterations.some((iteration) => notesOf(iteration).opened?.key.startsWith(IN_PART));
  const button = buttonFor(page, asking, true);
  if (change === undefined || !isOpened || button === undefined || !SAVES.test(button.label.trim())) return undefined;
  if (NOT_YET.test(request.instruction)) return undefined;
  return { message: questionOpen(change, asking), ...(wasPressed(request, button) ? {} : { same: button }) };
}

/** “change the phone to 5” ends with Enter in the field that was opened for it: where that stays, nothing was saved. */
function leftOpen({ pastIterations }: DecisionRequest, page: Page, actions: readonly Action[]): Question | undefined {
  const [change, value] = actions.slice(-2).map(textOf);
  if (change === undefined || value === undefined || !/^(?:to|into)\s/i.test(value)) return undefined;
  const [typed, entered] = pastIterations.flatMap(({ outcomes }) => outcomes).slice(-2);
  if (typed?.action !== 'INPUT_TEXT' || entered?.action !== 'PRESS_KEY') return undefined;
  const field = page.items.find((item) => isField(item) && selectorOf(item) === entered.parameters.selector);
  return field?.node?.text === typed.parameters.text && field !== undefined
    ? { message: notSaved(change, field) }
    : undefined;
}

/** A dialog that is open at the end of a step, where the step names the deed by its verb: it asks first, so that is not done yet. */
export function openQuestion(request: DecisionRequest, page: Page, actions: readonly Action[]): Question | undefined {
  const asking = request.pastIterations.length === 0 ? undefined : (questionOn(page) ?? filledIn(request, page));
  if (asking === undefined || buttonFor(page, asking, false) === undefined) return leftOpen(request, page, actions);
  const saving = savingOf(request, page, asking, actions);
  if (saving !== undefined) return saving;
  const deeds = actions.filter(({ intent }) => ['click', 'words'].includes(intent.kind));
  const named = deeds.flatMap((action) => {
    const words = wordsOf(textOf(action));
    const [verb] = words;
    return verb?.verb === undefined || verb.isSoft ? [] : [{ action, same: sameDeed(page, asking, words) }];
  });
  const confirmed = named.findLast(({ same }) => same !== undefined);
  // What has been pressed and is still there did not do it.
  if (confirmed)
    return {
      message: questionOpen(confirmed.action, asking),
      ...(wasPressed(request, confirmed.same!) ? {} : { same: confirmed.same! }),
    };
  const last = named.at(-1);
  // A dialog that is kept for all questions gets new contents.
  const hasCome = isNew(asking) || asking.children.some(isNew);
  return last?.action === actions.at(-1) && last && hasCome
    ? { message: questionOpen(last.action, asking) }
    : undefined;
}
