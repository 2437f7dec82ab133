import * as acts from './element-commands';
import { ancestors, isInside, itemsInside, type Item, type Page } from './page-index';
import { TO_CLICK } from './purpose';
import { commandsOn, type TargetSearch } from './resolution';
import { stemsIn, type Word } from '../language/words';

const YES =
  /^(?:(?:and|well|then)\s+)*(?:yes|yep|sure|ok|okay|(?:ok|okay)\s+(?:to\s+)?the\s+(?:question|dialog|prompt)|(?:also\s+)?(?:confirm|accept)(?:\s+(?:also|too))?(?:\s+the)?\s+(?:deleting|removing|cancelling|deletion|removal|cancellation)(?:\s+(?:also|too))?|confirm|accept|agree|do (?:it|so)|go ahead|proceed|(?:say|answer|press|click|choose)\s+(?:with\s+)?(?:yes|ok|okay)|(?:yes\s+)?(?:i|you|we)\s+(?:am|are|['’]m)\s+sure|(?:yes\s+)?(?:i|you|we)\s+(?:really\s+)?mean\s+it|(?:confirm|accept)\s+(?:it|that|this|the\s+(?:question|dialog|prompt|deed|change|modal|pop-?up|deletion|removal|cancellation|action|choice|warning|message|alert|confirmation))(?:\s+in\s+the\s+(?:window|dialog|box|pop-?up|question))?(?:\s+(?:that|which|what)\s+(?:comes|opens|appears)(?:\s+up)?)?|(?:answer|reply)\s+with\s+(?:a\s+)?(?:yes|ok|okay)\s+(?:to\s+)?(?:it|that|(?:the|this)\s+(?:question|dialog|prompt|confirmation|pop-?up|alert))|confirm that you really mean it|confirm\s+(?:it\s+)?(?:with|by)\s+(?:a\s+)?(?:yes|ok|okay)|(?:say|answer|reply|press|click|choose)\s+(?:with\s+)?(?:yes|ok|okay)\s+(?:to|on|in|at|for)\s+(?:it|that|(?:the|this|any)\s+(?:(?:confirmation|confirm|security|next)\s+)?(?:question|dialog|prompt|confirmation|pop-?up|alert|box|window|message)))(?:\s+(?:please|it|too|then))*$/i;
const NO =
  /^(?:(?:and|but|well|then|hmm)\s+)*(?:no|nope|cancel|abort|don['’]t|do not|(?:say|answer|press|click|choose)\s+(?:with\s+)?(?:no|keep|cancel)|keep(?:\s+it)?|i\s+am\s+not(?:\s+sure)?|i['’]m\s+not(?:\s+sure)?|cancel\s+(?:it|that|this|again|the\s+(?:question|dialog))|go back|leave it|never mind|(?:say|answer|reply|press|click|choose)\s+(?:with\s+)?(?:no|cancel)\s+(?:to|on|in|at|for)\s+(?:it|that|(?:the|this|any)\s+(?:(?:confirmation|confirm|security|next)\s+)?(?:question|dialog|prompt|confirmation|pop-?up|alert|box|window|message)))(?:\s+(?:please|it|then|again|after all))*$/i;
/** “answer “Not yet””: the button of that name. */
const ANSWER = /^(?:answer|reply|say)\s+(?:with\s+)?["“]([^"”]+)["”]$/i;
const NO_AT_ALL = /^(?:no|keep|back|not|never|stay|leave)$/;
const OUT = /^(?:cancel|abort|dismiss|close|discard|x)$/;

/** The part of the page that asks something: the dialog in front, or what has come with the last deed and holds two buttons. */
export function questionOn(page: Page): Item | undefined {
  const dialogs = page.items.filter(({ role, isHidden }) => /^(?:alert)?dialog$/.test(role) && !isHidden);
  if (dialogs.length > 0) return dialogs.at(-1);
  const fresh = page.items.filter((item) => isButton(item) && item.node?.since === 'new' && !isOfNotice(item));
  const groups = Map.groupBy(fresh, ({ parent }) => parent);
  const asking = [...groups].flatMap(([parent, buttons]) =>
    parent !== undefined && buttons.length > 1 && buttons.length < 4 && buttons.some(isNo) ? [parent] : [],
  );
  return asking.length === 1 ? asking[0] : undefined;
}

/** What reports something done asks nothing, also where that can be undone. */
const isOfNotice = (item: Item): boolean => [...ancestors(item)].some(({ role }) => /^(?:status|log)$/.test(role));

const isButton = (item: Item): boolean =>
  TO_CLICK.rank(item) !== undefined &&
  /^(?:button|link|generic)$/.test(item.role) &&
  !item.isHidden &&
  item.node?.disabled !== true &&
  !/^[×✕✖]?$/.test(item.label.trim());

const says = ({ label }: Item, words: RegExp): boolean =>
  stemsIn(label)
    .slice(0, 3)
    .some((stem) => words.test(stem));
const isNo = (item: Item): boolean => says(item, NO_AT_ALL) || says(item, OUT);

function buttonsIn(page: Page, part: Item): Item[] {
  return itemsInside(page, part).filter((item) => item !== part && isButton(item));
}

/** The button that says yes to a question, or no; undefined where several do. */
export function buttonFor(page: Page, question: Item, isYes: boolean): Item | undefined {
  const buttons = buttonsIn(page, question);
  const having = (words: RegExp): Item[] => buttons.filter((item) => says(item, words));
  // "Cancel order" is the deed beside "No".
  const negative = having(NO_AT_ALL).length > 0 ? having(NO_AT_ALL) : having(OUT);
  const meant = isYes ? buttons.filter((button) => !negative.includes(button)) : negative;
  return meant.length === 1 && buttons.length > 1 && negative.length === 1 ? meant[0] : undefined;
}

/** Whether a clause says nothing but yes, or nothing but no. */
export function answerSaid(text: string): boolean | undefined {
  if (YES.test(text.trim())) return true;
  return NO.test(text.trim()) ? false : undefined;
}

/** The answer to what the page asks, where the clause says nothing but yes or no. */
export function answerIn(page: Page, text: string): TargetSearch | undefined {
  const [, named] = ANSWER.exec(text.trim()) ?? [];
  if (named !== undefined) {
    const asked = questionOn(page);
    const buttons = asked === undefined ? [] : buttonsIn(page, asked).filter((item) => item.label.trim() === named);
    return buttons.length === 1 ? commandsOn(buttons[0]!, acts.click(buttons[0]!)) : undefined;
  }
  const isYes = answerSaid(text);
  if (isYes === undefined) return undefined;
  const question = questionOn(page);
  const button = question && buttonFor(page, question, isYes);
  return button && commandsOn(button, acts.click(button));
}

/**
 * The button of a question that asks for the very deed of the step: it has the verb, or says yes to a question that has it
 * and names no more than the step.
 */
export function sameDeed(page: Page, question: Item, deed: readonly Word[]): Item | undefined {
  const button = buttonFor(page, question, true);
  const [verb, ...object] = deed;
  const names = verb?.verb ?? new Set<string>();
  const isNamed = (text: string): boolean => stemsIn(text).some((stem) => names.has(stem));
  if (button === undefined || isNamed(button.label)) return button;
  const asked = stemsIn(question.text);
  const isAbout =
    asked.length <= FEW_WORDS || object.some(({ said }) => stemsIn(said).every((stem) => asked.includes(stem)));
  return /^(?:yes|ok|okay|confirm)$/i.test(button.label.trim()) && isNamed(question.text) && isAbout
    ? button
    : undefined;
}

/** "Really cancel? Yes No" */
const FEW_WORDS = 6;

/** Whether it has come with the last deed, or was written anew by it. */
export const isNew = (item: Item): boolean =>
  item.node?.since === 'changed' || [item, ...ancestors(item)].some(({ node }) => node?.since === 'new');

/** What leaves a dialog or a menu without doing anything: “Cancel order” is a deed. */
const LEAVES =
  /^(?:cancel|(?:close|dismiss|hide)(?:\s+(?:panel|dialog|window|menu|sheet|drawer|details|pane|pop-?up))?|discard|abort|(?:go )?back|not (?:now|yet)|(?:maybe )?later|never ?mind|leave it|no(?:,.*|\s+thanks?.*|\s+(?:keep|go|leave|don).*)?|keep(?:\b.*)?|stay(?:\s+here|\s+on\b.*)?|don['’]t(?:\b.*)?|[×✕✖])$/i;

/** What leaves a part of the page without doing anything: its no, or its only way out. */
export function wayOut(page: Page, part: Item): Item | undefined {
  const outs = itemsInside(page, part).filter(
    (item) =>
      item !== part &&
      !/^(?:checkbox|radio|switch)$/.test(item.role) &&
      TO_CLICK.rank(item) !== undefined &&
      !item.isHidden &&
      item.node?.disabled !== true &&
      LEAVES.test(item.label.trim()),
  );
  const [first] = outs.filter((item) => !outs.some((inner) => inner !== item && isInside(inner, item)));
  return first;
}
