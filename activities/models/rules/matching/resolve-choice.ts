import type { AIGeneratedCommand } from '../../../../contracts/commands/commands';
import * as acts from './element-commands';
import type { Description } from '../grammar/description';
import { find } from './find';
import type { Intent } from '../grammar/intent';
import { LEVELS, levelOf } from './name-match';
import { ancestors, itemsInside, type Item, type Page } from './page-index';
import { TO_CHOOSE, TO_CHOOSE_FROM, TO_SET, TO_TYPE } from './purpose';
import { absent, refused, several, commandsOn, type Resolution } from './resolution';
import { describeItem, listNames } from './item-text';

/** Resolves "choose X in Y" and "choose X": an option of a list, a radio button, otherwise something to click. */
export function resolveChoice(page: Page, intent: Intent & { kind: 'choose' }): Resolution {
  let failure: Resolution | undefined;
  for (const { option, group } of intent.alternatives) {
    const found = find(page, group, TO_CHOOSE_FROM);
    if (found.kind === 'several') failure ??= several(group, found.items);
    if (found.kind === 'none') failure ??= absent(group, TO_CHOOSE_FROM);
    if (found.kind !== 'one') continue;
    const chosen = optionOf(page, found.item, option);
    if (chosen.kind === 'commands') return chosen;
    failure = chosen;
  }
  const found = find(page, intent.whole, TO_CHOOSE);
  if (found.kind === 'one') return commandsOn(found.item, choice(found.item));
  if (found.kind === 'several') return several(intent.whole, found.items);
  return failure ?? absent(intent.whole, TO_CHOOSE);
}

/** Resolves "set X to Y" by the kind of the control. */
export function resolveSetting(page: Page, target: Description, value: string): Resolution {
  const found = find(page, target, TO_SET);
  if (found.kind === 'none') return absent(target, TO_SET);
  if (found.kind === 'several') return several(target, found.items);
  const { item } = found;
  const isChoice =
    item.role === 'listbox' || item.role === 'radiogroup' || item.role === 'group' || optionsOf(page, item).length > 0;
  if (isChoice) return optionOf(page, item, value);
  if (TO_TYPE.rank(item) !== undefined || item.role === 'slider') {
    return commandsOn(item, acts.type(item, value));
  }
  const state = /^(?:on|true|yes|checked|ticked|enabled)$/i.test(value)
    ? true
    : /^(?:off|false|no|unchecked|disabled)$/i.test(value)
      ? false
      : undefined;
  if (state === undefined) return refused(`${describeItem(item)} can be set to on or off, not to “${value}”.`);
  return commandsOn(item, acts.check(item, state));
}

function optionsOf(page: Page, list: Item): Item[] {
  return itemsInside(page, list).filter(
    ({ role }) => role === 'option' || role === 'radio' || role === 'menuitemradio',
  );
}

/** Chooses an option of a list. A closed list may show no options; it gets the option as the instruction says it. */
function optionOf(page: Page, list: Item, option: string): Resolution {
  const options = optionsOf(page, list);
  const isList = list.role === 'combobox' || list.role === 'listbox';
  if (options.length === 0 && isList) return commandsOn(list, acts.select(list, option));
  const level = LEVELS.find((strength) => options.some((item) => levelOf(item, option) === strength));
  const fitting = options.filter((item) => level !== undefined && levelOf(item, option) === level);
  const target: Description = { said: option, isQuoted: true, readings: [] };
  if (fitting.length > 1 && !option.includes('${')) return several(target, fitting);
  const [chosen] = fitting;
  if (chosen)
    return commandsOn(list, isList && chosen.role === 'option' ? acts.select(list, chosen.label) : choice(chosen));
  if (option.includes('${') && isList) return commandsOn(list, acts.select(list, option));
  const detail = `${describeItem(list)} has no option “${option}”; it has: ${listNames(options)}.`;
  return absent(target, TO_CHOOSE, detail);
}

function choice(item: Item): AIGeneratedCommand {
  if (item.role === 'radio' || item.role === 'menuitemradio') return acts.check(item, true);
  const list = [...ancestors(item)].find(({ role, node }) => (role === 'combobox' || role === 'listbox') && node?.ref);
  if (item.role === 'option' && list) return acts.select(list, item.label);
  return acts.click(item);
}
