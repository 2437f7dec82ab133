import type { Description } from '../language/description';
import * as acts from './element-commands';
import { bestMatches, find, findCandidates, type Found } from './find';
import { findValue } from './find-value';
import { nearLandmarks } from './landmarks';
import { itemsInside, type Item, type Page } from './page-index';
import { TO_CLICK, TO_SEE, TO_TYPE } from './purpose';
import { absent, commandsOn, refused, several, type TargetSearch } from './resolution';
import { truncate } from './item-text';

/** Resolves "click X": a control, what a label stands beside, or one control in each of several places. */
export function resolveClick(page: Page, target: Description): TargetSearch {
  if (target.every !== undefined && target.place !== undefined) return clickInEach(page, target, target.place.landmark);
  const found = find(page, target, TO_CLICK);
  if (found.kind === 'several') return several(target, found.items);
  const named = found.kind === 'one' ? found.item : undefined;
  const isControl = named !== undefined && TO_CLICK.rank(named) !== undefined;
  const item = isControl ? named : (labelled(page, target) ?? named ?? sendsForm(page, target));
  if (item === undefined) return absent(target, TO_CLICK);
  const handle = handleOf(page, item);
  return commandsOn(item, acts.click(handle));
}

/** What to click for a list entry: its first link or button. */
function handleOf(page: Page, item: Item): Item {
  if (!/^(?:listitem|article|row)$/.test(item.role) || item.node?.cursor === 'pointer') return item;
  return itemsInside(page, item).find((inner) => TO_CLICK.rank(inner) === 0) ?? item;
}

/** "click the phone number": the only control in the value of the label "Phone". */
function labelled(page: Page, target: Description): Item | undefined {
  const value: Found = findValue(page, target);
  if (value.kind !== 'one') return undefined;
  const controls = itemsInside(page, value.item).filter((inner) => TO_CLICK.rank(inner) === 0 && !inner.isHidden);
  return controls.length === 1 ? controls[0] : undefined;
}

const SENDING = /^(?:log ?in|log ?on|sign ?in|sign ?up|register|submit|send)$/i;
const SAYS_NOTHING = /^(?:ok|okay|go|submit|enter|continue|done|confirm)$/i;

/** "press login": the only button of the page, below its fields, where it says nothing but OK. */
function sendsForm(page: Page, { readings, place }: Description): Item | undefined {
  if (place !== undefined || !readings.some(({ name }) => SENDING.test(name ?? ''))) return undefined;
  const [button, ...others] = page.items.filter(({ role, isHidden }) => role === 'button' && !isHidden);
  const field = page.items.findLast((item) => TO_TYPE.rank(item) === 0);
  const isOnly = button !== undefined && others.length === 0 && field !== undefined && button.index > field.index;
  return isOnly && SAYS_NOTHING.test(button.label) ? button : undefined;
}

/** Clicks one control in each of the places; where one of them has none, or several, nothing is clicked. */
function clickInEach(page: Page, target: Description, landmark: Description['readings']): TargetSearch {
  const places = bestMatches(page, landmark, TO_SEE);
  const { place: _, ...anywhere } = target;
  const controls = findCandidates(page, anywhere, TO_CLICK);
  if (places.length === 0 || controls.length === 0) return absent(target, TO_CLICK);
  const clicked = new Set<Item>();
  for (const place of places) {
    const own = nearLandmarks(page, controls, [place], true);
    if (own[0] === undefined || own.length > 1)
      return refused(
        `“${truncate(target.said)}” means one control in each of ${places.length} places, and at “${truncate(place.text)}” there are ${own.length}.`,
      );
    clicked.add(own[0]);
  }
  const [first] = clicked;
  return first === undefined
    ? absent(target, TO_CLICK)
    : commandsOn(first, ...[...clicked].map((item) => acts.click(item)));
}
