import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import * as acts from './element-commands';
import type { Description } from '../language/description';
import { CHECKABLE, LISTS } from '../language/role-words';
import { surroundingsOf } from './entry';
import { find, findEvery, type Found } from './find';
import type { Choice, Intent } from '../language/intent';
import { LEVELS, levelOf } from './name-match';
import { ancestors, isField, itemsInside, type Item, type Page } from './page-index';
import { boxInside, together } from './resolve-states';
import { opensList, TO_CHOOSE, TO_CHOOSE_FROM, TO_CLICK, TO_SEE, TO_SET, TO_TYPE, CLOSED_LIST } from './purpose';
import { absent, refused, several, commandsOn, type TargetSearch } from './resolution';
import { describeItem, listNames } from './item-text';

/** Resolves "choose X in Y", "choose X" and "choose A, B and C": options, radio buttons, boxes, otherwise something to click. */
export function resolveChoice(page: Page, choice: Choice): TargetSearch {
  const single = resolveSingle(page, choice);
  if (choice.parts === undefined) return single;
  if (single.kind === 'commands' && !isUnseen(page, single)) return single;
  const parts = asOne(together(choice.parts.map((part) => resolveSingle(page, part))));
  // Of a closed list nobody knows the options; a name with "and" in it goes in quotes.
  if (single.kind === 'commands') return parts.kind === 'commands' && parts.commands.length === 1 ? parts : single;
  return parts.kind === 'absent' && single.kind === 'several' ? single : parts;
}

/** Whether the option is one of a list that does not show its options. */
function isUnseen(page: Page, { commands, target }: TargetSearch & { kind: 'commands' }): boolean {
  return commands[0]?.action === 'SELECT_OPTION' && target !== undefined && optionsOf(page, target).length === 0;
}

/** Several options of one list are chosen at once, because each choice would replace the one before. */
function asOne(resolution: TargetSearch): TargetSearch {
  if (resolution.kind !== 'commands') return resolution;
  const [first] = resolution.commands;
  const lists = new Set(resolution.commands.map(({ action, parameters }) => `${action} ${parameters.selector}`));
  if (first?.action !== 'SELECT_OPTION' || lists.size > 1 || resolution.commands.length < 2) return resolution;
  const options = [...new Set(resolution.commands.flatMap(({ parameters }) => parameters.option ?? []))];
  // “the third entry, "Overdue"” is one of them.
  if (options.length === 1) return { ...resolution, commands: [first] };
  const { selector = '' } = first.parameters;
  const reasoning = `choose ${options.map((option) => `“${option}”`).join(', ')} in the same list`;
  return { ...resolution, commands: [{ ...first, parameters: { selector, options }, reasoning }] };
}

function resolveSingle(page: Page, { alternatives, whole, button }: Choice): TargetSearch {
  let failure: TargetSearch | undefined;
  for (const { option, group } of alternatives) {
    const found = isFieldMeant(group) ? ({ kind: 'none' } as const) : find(page, group, TO_CHOOSE_FROM);
    const lists = found.kind === 'one' ? [found.item] : found.kind === 'several' ? found.items : [];
    const chosen = lists.map((list) => optionOf(page, list, option));
    const having = lists.filter((list) => isShown(page, list, option));
    const fitting = chosen.filter(
      ({ kind }, at) => kind === 'commands' && (having.length === 0 || having.includes(lists[at]!)),
    );
    // Of several lists the only one with this option is meant.
    if (fitting[0] && (lists.length === 1 || (fitting.length === 1 && hasOptions(page, lists)))) return fitting[0];
    if (lists.length > 1) failure ??= several(group, lists);
    else if (lists.length === 1) failure = chosen[0];
    else {
      const field = find(page, group, TO_SET);
      if (field.kind === 'one' && /^(?:slider|spinbutton|textbox|searchbox)$/.test(field.item.role))
        return resolveSetting(page, group, option);
      if (field.kind === 'several') failure ??= several(group, field.items);
      failure ??= absent(group, TO_CHOOSE_FROM);
    }
  }
  const named = find(page, whole, TO_CHOOSE);
  // A list is no option, also where its name has the words.
  const found: Found = named.kind === 'one' && isList(named.item) ? { kind: 'none' } : named;
  if (found.kind === 'one') {
    const box = found.item.role === 'row' ? boxInside(page, whole) : undefined;
    return box ? commandsOn(box, acts.check(box, true)) : commandsOn(found.item, choice(found.item));
  }
  if (found.kind === 'several') return several(whole, found.items);
  if (failure?.kind === 'several') return failure;
  const own = button && find(page, { ...button, ...(whole.place && { place: whole.place }) }, TO_CLICK);
  // “Pick a reason” is no button that picks what is beside it.
  if (own?.kind === 'one' && !CLOSED_LIST.test(own.item.label.trim()))
    return commandsOn(own.item, acts.click(own.item));
  return onlyOption(page, alternatives) ?? failure ?? absent(whole, TO_CHOOSE);
}

const isList = ({ role }: Item): boolean => (LISTS as readonly string[]).includes(role);

/** Whether the words name a field or a slider, not a list: "with the volume slider". */
function isFieldMeant({ readings }: Description): boolean {
  const role = readings.find((reading) => reading.role !== undefined)?.role;
  return role !== undefined && role.roles.every((each) => /^(?:slider|spinbutton|textbox|searchbox)$/.test(each));
}

/** Whether a list shows an option of this name. */
function isShown(page: Page, list: Item, option: string): boolean {
  return optionsOf(page, list).some((item) => levelOf(item, option) !== undefined);
}

/** Whether the options of all these lists are known. */
function hasOptions(page: Page, lists: readonly Item[]): boolean {
  return lists.every((list) => optionsOf(page, list).length > 0);
}

/** The only option of that name, where nothing has the name of the group. */
function onlyOption(page: Page, alternatives: Choice['alternatives']): TargetSearch | undefined {
  for (const { option, group } of alternatives) {
    if (find(page, group, TO_SEE).kind !== 'none') continue;
    const options = page.items.filter((item) => TO_CHOOSE_ONLY.test(item.role) && (levelOf(item, option) ?? 9) <= 2);
    if (options[0] && options.length === 1) return commandsOn(options[0], choice(options[0]));
  }
  return undefined;
}

const TO_CHOOSE_ONLY = /^(?:option|radio|menuitemradio|tab)$/;

/** Resolves "set X to Y" by the kind of the control. */
export function resolveSetting(page: Page, target: Description, value: string): TargetSearch {
  const found = find(page, target, TO_SET);
  if (found.kind === 'several') return several(target, found.items);
  const item = found.kind === 'one' ? found.item : onlyUnnamedField(page);
  return item === undefined ? absent(target, TO_SET) : settingOf(page, item, value);
}

/** Gives a control a value, by its kind. */
export function settingOf(page: Page, item: Item, value: string): TargetSearch {
  const isChoice =
    item.role === 'listbox' ||
    opensList(item) ||
    item.role === 'radiogroup' ||
    (item.role === 'group' && !itemsInside(page, item).some(isField)) ||
    (item.role !== 'group' && optionsOf(page, item).length > 0);
  if (isChoice) return optionOf(page, item, value);
  if (TO_TYPE.rank(item) !== undefined || item.role === 'slider') {
    const isLeft = item.role !== 'combobox' && (isInRow(item) || isInCard(page, item));
    return commandsOn(item, acts.type(item, value), ...(isLeft ? [acts.press(item, 'Tab')] : []));
  }
  const state = /^(?:on|true|yes|checked|ticked|enabled)$/i.test(value)
    ? true
    : /^(?:off|false|no|unchecked|disabled)$/i.test(value)
      ? false
      : undefined;
  if (state === undefined) return refused(`${describeItem(item)} can be set to on or off, not to “${value}”.`);
  return commandsOn(item, acts.check(item, state));
}

/** What is typed into a row is taken over when the field is left. */
const isInRow = (item: Item): boolean => [...ancestors(item)].some(({ role }) => /^(?:row|listitem)$/.test(role));

/** One of several cards that have this field and buttons, and none that takes over what is typed, is like a row. */
function isInCard(page: Page, item: Item): boolean {
  const hasNamesake = page.items.some(
    (other) =>
      other !== item && other.role === item.role && other.label === item.label && other.node?.ref !== undefined,
  );
  const [card, ...others] = hasNamesake ? surroundingsOf(page, item).parts : [];
  if (card === undefined || others.length > 0 || /^(?:form|dialog)$/.test(card.role)) return false;
  const buttons = itemsInside(page, card).filter(({ role }) => role === 'button');
  return buttons.length > 0 && !buttons.some(({ label }) => TAKES_OVER.test(label));
}

const TAKES_OVER = /^(?:save|apply|submit|update|send|ok|done|add|create|store|confirm|change|set)\b/i;

/** Resolves "set the sliders to 5, 11 and 10". */
export function resolveEach(page: Page, { target, values }: Intent & { kind: 'set-each' }): TargetSearch {
  const controls = findEvery(page, target, TO_SET) ?? [];
  if (controls.length === 0) return absent(target, TO_SET);
  if (controls.length !== values.length)
    return refused(
      `There are ${values.length} values for “${target.said}”, and ${controls.length} of them on the page.`,
    );
  const slots = controls.map((control, at) => acts.type(control, values[at]!));
  return controls.every((control) => TO_TYPE.rank(control) !== undefined || control.role === 'slider')
    ? commandsOn(controls[0]!, ...slots)
    : refused(`“${target.said}” are controls that take no values in a row; name each with its value.`);
}

/** The only field, where it has no name that could say otherwise. */
function onlyUnnamedField(page: Page): Item | undefined {
  const fields = page.items.filter((item) => TO_SET.rank(item) === 0 && !item.isHidden);
  const [field] = fields;
  const isUnnamed = field?.label === '' && field.hints.length === 0;
  return isUnnamed && fields.length === 1 && TO_TYPE.rank(field) === 0 ? field : undefined;
}

function optionsOf(page: Page, list: Item): Item[] {
  return itemsInside(page, list).filter(
    ({ role }) => role === 'option' || role === 'radio' || role === 'menuitemradio',
  );
}

const EXACT = 2;

/** A list that is drawn when it is opened: while it is open, some name a few of its options only. */
const isPopup = ({ role, node }: Item): boolean =>
  role === 'combobox' && node?.states?.some((state) => state.startsWith('popup')) === true;

/** Chooses an option of a list. A closed list may show no options; it gets the option as the instruction says it. */
function optionOf(page: Page, list: Item, option: string): TargetSearch {
  const options = optionsOf(page, list);
  const isList = list.role === 'combobox' || list.role === 'listbox' || opensList(list);
  if (options.length === 0 && isList) return commandsOn(list, acts.select(list, option));
  const level = LEVELS.find((strength) => options.some((item) => levelOf(item, option) === strength));
  if (isPopup(list) && (level === undefined || level > EXACT)) return commandsOn(list, acts.select(list, option));
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

export function choice(item: Item): AIGeneratedCommand {
  if ((CHECKABLE as readonly string[]).includes(item.role)) return acts.check(item, true);
  const list = [...ancestors(item)].find(({ role, node }) => (role === 'combobox' || role === 'listbox') && node?.ref);
  if (item.role === 'option' && list) return acts.select(list, item.label);
  return acts.click(item);
}
