import {
  CommandAction,
  type AIGeneratedCommand,
  type StepAction,
  type StepParameters,
} from '../../contracts/commands/commands';
import { ancestors, type Item } from './page-index';
import { describeItem, selectorOf } from './item-text';

/** Creates the commands that act on one element, each with a short reasoning. */
export function act(action: StepAction, item: Item, parameters: StepParameters, reasoning: string): AIGeneratedCommand {
  return {
    action,
    parameters: { selector: selectorOf(item), ...parameters },
    reasoning: `${reasoning} ${describeItem(item)}`,
  };
}

export const click = (item: Item): AIGeneratedCommand => {
  const list = listOfSeveral(item);
  if (list === undefined) return act(CommandAction.CLICK_ELEMENT, item, {}, 'click');
  const option = item.label || item.text;
  return act('SELECT_OPTION', list, { options: [option], mode: 'add' }, `choose “${option}” in`);
};

/** The list of an option that may be chosen beside others, which a click would take away. */
function listOfSeveral(item: Item): Item | undefined {
  if (item.role !== 'option') return undefined;
  return [...ancestors(item)].find(
    ({ role, node }) => role === 'listbox' && node?.states?.includes('multiple') === true,
  );
}

/** A field for a number takes no unit, which the page says itself or nobody: “950 kg”. */
export const type = (item: Item, text: string): AIGeneratedCommand =>
  act(
    CommandAction.INPUT_TEXT,
    item,
    { text: item.role === 'spinbutton' ? text.replace(NUMBER_WITH_UNIT, '$1') : text },
    text === '' ? 'clear' : 'type into',
  );

const NUMBER_WITH_UNIT = /^\s*(-?\d+(?:[.,]\d+)?)\s*(?:\p{L}{1,9}\.?|%|°C?|[€$£])\s*$/u;

export const press = (item: Item, key: string): AIGeneratedCommand =>
  act('PRESS_KEY', item, { key }, `press ${key} in`);

export const check = (item: Item, checked: boolean): AIGeneratedCommand =>
  act('SET_CHECKED', item, { checked }, checked ? 'check' : 'uncheck');

export const select = (list: Item, option: string): AIGeneratedCommand =>
  act('SELECT_OPTION', list, { option }, `choose “${option}” in`);

export const scrollTo = (item: Item): AIGeneratedCommand => act('SCROLL', item, { to: 'element' }, 'scroll to');

export const scrollWithin = (item: Item, to: 'up' | 'down' | 'top' | 'bottom'): AIGeneratedCommand =>
  act('SCROLL', item, { to }, `scroll ${to === 'up' || to === 'down' ? to : `to the ${to}`} in`);

export const save = (
  item: Item,
  { variableName, ...how }: Pick<StepParameters, 'variableName' | 'label' | 'as'>,
): AIGeneratedCommand => act(CommandAction.SAVE_VARIABLE, item, { variableName, ...how }, `save as ${variableName}:`);

export const expect = (
  item: Item,
  parameters: Pick<StepParameters, 'text' | 'absent' | 'state' | 'matchCase'>,
): AIGeneratedCommand => act('EXPECT', item, parameters, 'look at');
