import { namesFor, stemsIn, wordsOf, type Word } from '../language/words';
import { isDestructive } from './does-other';
import * as acts from './element-commands';
import { bestSettings, settingsIn } from './read-settings';
import { ancestors, isInside, type Item, type Page } from './page-index';
import { TO_CLICK } from './purpose';
import type { TargetSearch } from './resolution';

const MOST_ABOVE = 4;

/** "apply the code X": the field gets its value, then the button with the verb beside it is clicked. */
export function compoundIn(
  page: Page,
  text: string,
  used: ReadonlySet<string>,
  soft: readonly Word[],
): TargetSearch | undefined {
  const [verb] = wordsOf(text);
  // What takes something away fills in nothing for it.
  if (verb?.verb === undefined || isDestructive([verb])) return undefined;
  const rest = text.trim().replace(/^\S+\s+/, '');
  const settings = bestSettings(settingsIn(page, rest, used, soft));
  const [setting, ...others] = settings;
  if (setting === undefined || others.length > 0) return undefined;
  const button = buttonBeside(page, setting.item, verb.verb);
  if (button === undefined) return undefined;
  const commands = [...setting.resolution.commands, acts.click(button)];
  return { kind: 'commands', commands, target: button };
}

/** “assign them to Karla”: the list gets its option, then the button “Assign” beside it is clicked. */
export function withButton(page: Page, text: string, list: Item, chosen: TargetSearch): TargetSearch {
  const [verb = ''] = /^(?:assign|move|transfer|apply)\b/i.exec(text) ?? [];
  const button =
    verb === '' || chosen.kind !== 'commands' ? undefined : buttonBeside(page, list, namesFor(verb.toLowerCase()));
  return button === undefined || chosen.kind !== 'commands'
    ? chosen
    : { kind: 'commands', commands: [...chosen.commands, acts.click(button)], target: button };
}

/** The button for a verb in the smallest part around a field that has one; undefined where there are several. */
function buttonBeside(page: Page, field: Item, verb: ReadonlySet<string>): Item | undefined {
  const buttons = page.items.filter(
    (item) => TO_CLICK.rank(item) !== undefined && !item.isHidden && stemsIn(item.label).some((stem) => verb.has(stem)),
  );
  for (const above of [...ancestors(field)].slice(0, MOST_ABOVE)) {
    const inside = buttons.filter((button) => isInside(button, above) && button !== above);
    const inner = inside.filter((button) => !inside.some((other) => other !== button && isInside(other, button)));
    if (inner.length > 0) return inner.length === 1 ? inner[0] : undefined;
  }
  return undefined;
}
