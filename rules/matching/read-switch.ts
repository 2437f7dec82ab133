import { stemsIn, wordsOf, type Word } from '../language/words';
import { fitting, onBestFit } from './by-words';
import * as acts from './element-commands';
import { surroundingsOf } from './entry';
import type { Item, Page } from './page-index';
import { TO_CHECK, TO_CLICK } from './purpose';
import { boxSaidBefore, MARKS_IT } from './read-box';
import { without, type Opened } from './read-way';
import { alreadySo, commandsOn, type TargetSearch } from './resolution';

const ON =
  /^(?:(?:check|tick|enable|activate|turn on|switch on|mark)\s+(.+)|(?:turn|switch|set|toggle|tick|check)\s+(.+?)\s+(?:to\s+)?on|(.+?)\s+(?:to\s+)?on)$/i;
const OFF =
  /^(?:(?:uncheck|untick|disable|deactivate|turn off|switch off|unmark)\s+(.+)|(?:turn|switch|set|toggle)\s+(.+?)\s+(?:to\s+)?off|(.+?)\s+(?:to\s+)?off|(?:(?:i|we)\s+)?(?:do not|don['’]t)\s+want\s+(?:to\s+(?:get|receive)\s+)?(.+)|no\s+(.+))$/i;

/** What a clause turns on or off: a box, or a button that stays pressed. */
export function switched(page: Page, text: string, opened: Opened, soft: readonly Word[]): TargetSearch | undefined {
  const [core = '', place = ''] = text.split(' ; ');
  // “check the laptop back in” ticks nothing.
  if (/^check\s+(?:in|out)\b|^check\s.*\s(?:in|out)$/i.test(core)) return undefined;
  const only = ONLY.exec(core)?.[1];
  if (only !== undefined) {
    const { best } = fitting(page, without(wordsOf(`${only} ${place}`, false), opened), TO_CHECK);
    const filters = best.filter(({ item }) => /\bonly\b/i.test(item.label));
    return filters[0] && onBestFit(filters, text, (item) => acts.check(item, true));
  }
  if (MARKS_IT.test(core)) return boxSaidBefore(page, soft);
  for (const [form, checked] of [
    [OFF, false],
    [ON, true],
  ] as const) {
    const said = form
      .exec(core)
      ?.slice(1)
      .find((part) => part !== undefined);
    if (said === undefined) continue;
    const named = `${said} ${place}`;
    const { best } = fitting(page, [...without(wordsOf(named, false), opened), ...soft], TO_CHECK);
    const [, becomes] = MARKED_AS.exec(core) ?? [];
    const boxes = becomes === undefined ? best : best.filter(({ item }) => saysOfItself(page, item, becomes));
    if (boxes[0]) return onBestFit(boxes, named, (item) => acts.check(item, checked));
    // A button that stays pressed, or says “Sound: on”, is a switch.
    const words = [...without(wordsOf(named, false), opened), ...soft];
    const [toggle, ...others] = fitting(page, words, TO_CLICK).best.filter(
      ({ item }) => (item.role === 'button' || SAYS_STATE.test(item.label)) && isNamedWhole(item, named, words),
    );
    const [, state] = SAYS_STATE.exec(toggle?.item.label ?? '') ?? [];
    const isPressed = toggle?.item.node?.pressed === true || /^on$/i.test(state ?? '');
    if (toggle && others.length === 0 && (checked || isPressed || state !== undefined))
      return isPressed === checked ? alreadySo() : commandsOn(toggle.item, acts.click(toggle.item));
  }
  return undefined;
}

export const SAYS_STATE = /:\s*(on|off)\W*$/i;

/** “show only what is below minimum”: the box of a filter that says so itself. */
export const ONLY = /^(?:only\s+show|show(?:\s+me)?\s+only)\s+(.+)$/i;

/** “mark INV-100 as paid”: a box that selects its row says nothing of that. */
const MARKED_AS = /^(?:un)?mark\s.+\sas\s+(.+)$/i;

function saysOfItself(page: Page, item: Item, said: string): boolean {
  const { own } = surroundingsOf(page, item);
  return wordsOf(said).every(({ stem }) => own.has(stem));
}

/** Whether the words are the whole name of a control. */
export function isNamedWhole({ label }: Item, text: string, words: readonly Word[]): boolean {
  const said = new Set([...stemsIn(text), ...words.flatMap(({ also = [], verb = [] }) => [...also, ...verb])]);
  const names = stemsIn(label.replace(SAYS_STATE, '').replace(/\(.*?\)|\d+/g, ' '));
  return label !== '' && names.every((stem) => said.has(stem));
}
