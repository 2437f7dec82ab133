import type { AIGeneratedCommand, StepAction } from '../../contracts/commands/commands';
import * as acts from './element-commands';
import type { Description } from '../language/description';
import { find, type Found } from './find';
import type { Gesture, Intent } from '../language/intent';
import { nearestNamed, type Item, type Page } from './page-index';
import { TO_CLICK, TO_POINT_AT, TO_SEE, TO_TYPE } from './purpose';
import { asOnPage } from './page-words';
import { fitOf } from './by-words';
import { stemsIn, wordsOf } from '../language/words';
import { selectorOf } from './item-text';
import { absent, commandsOn, several, type TargetSearch } from './resolution';

const GESTURES: Record<Gesture, { action: StepAction; said: string }> = {
  double: { action: 'DOUBLE_CLICK', said: 'double-click' },
  right: { action: 'RIGHT_CLICK', said: 'right-click' },
  hover: { action: 'HOVER', said: 'put the pointer on' },
  hold: { action: 'PRESS_AND_HOLD', said: 'hold' },
  focus: { action: 'FOCUS_ELEMENT', said: 'focus' },
};

/** Resolves a gesture on one element. What can be clicked goes first, then whatever shows the words. */
export function resolveGesture(page: Page, intent: Intent & { kind: 'point' }): TargetSearch {
  return onTarget(page, intent.target, ({ item }) => commandsOn(item, gesture(item, intent)));
}

export function gesture(item: Item, { gesture: kind, seconds }: Intent & { kind: 'point' }): AIGeneratedCommand {
  const { action, said } = GESTURES[kind];
  return acts.act(action, item, seconds === undefined ? {} : { seconds }, said);
}

/** Resolves "drag X to Y" and "drag X 50 pixels to the right". */
export function resolveDrag(page: Page, { target, onto, byX, byY }: Intent & { kind: 'drag' }): TargetSearch {
  return onTarget(page, target, (found) => {
    const drag = (where: AIGeneratedCommand['parameters']): TargetSearch =>
      commandsOn(found.item, acts.act('DRAG_ELEMENT', found.item, where, 'drag'));
    if (onto === undefined) return drag({ ...(byX !== undefined && { byX }), ...(byY !== undefined && { byY }) });
    const area = dropAreaNamed(page, onto);
    return area === undefined
      ? onTarget(page, onto, ({ item }) => drag({ toSelector: selectorOf(item) }))
      : drag({ toSelector: selectorOf(area) });
  });
}

/** “the Work list”: a part that takes what is dropped, whatever its kind. */
function dropAreaNamed(page: Page, { said }: Description): Item | undefined {
  const words = asOnPage(page, wordsOf(said, false), false);
  const [area, ...others] = page.items.filter(
    (item) =>
      item.node?.states?.includes('drop area') === true &&
      item.node.ref !== undefined &&
      fitOf(page, item, words, TO_POINT_AT)?.left.length === 0 &&
      stemsIn(item.node.name ?? '').some((stem) => words.some((word) => word.stem === stem)),
  );
  return others.length === 0 ? area : undefined;
}

/** Resolves "upload x.png": to the field that is named, or to the only one that takes files. */
export function resolveUpload(page: Page, { files, target }: Intent & { kind: 'upload' }): TargetSearch {
  const give = (found: Found & { kind: 'one' }): TargetSearch =>
    commandsOn(found.item, acts.act('UPLOAD_FILE', found.item, { files }, `give ${files.join(', ')} to`));
  return onTarget(page, target ?? ANY_FILE, give);
}

/** Resolves "drop x.png onto X". */
export function resolveDrop(page: Page, { files, target }: Intent & { kind: 'drop-files' }): TargetSearch {
  return onTarget(page, target, ({ item }) =>
    commandsOn(item, acts.act('DROP_FILES', item, { files }, `drop ${files.join(', ')} onto`)),
  );
}

const ANY_FILE: Description = {
  said: 'a field for files',
  isQuoted: false,
  readings: ['upload', 'choose file', 'choose files', 'browse', 'attach', 'file'].map((name) => ({
    name,
    role: { word: 'button', roles: ['button', 'textbox'] },
  })),
};

function onTarget(
  page: Page,
  target: Description,
  act: (found: Found & { kind: 'one' }) => TargetSearch,
): TargetSearch {
  const all = [TO_CLICK, TO_TYPE, TO_SEE].map((purpose) => find(page, target, purpose));
  // The one thing that is called Area is meant, not whatever is an area.
  const named = all.find((each) => each.kind === 'one' && isSaid(target, each.item.label));
  const found = named ?? all.find(({ kind }) => kind !== 'none');
  if (found?.kind === 'several') return several(target, found.items);
  return found?.kind === 'one' && nearestNamed(found.item) ? act(found) : absent(target, TO_SEE);
}

function isSaid({ said }: Description, name: string): boolean {
  return said.toLowerCase() === name.toLowerCase();
}

/** Resolves "File > Open": the menu with its first name, then its items. */
export function resolveMenu(page: Page, { target, path }: Intent & { kind: 'menu' }): TargetSearch {
  return onTarget(page, target, (found) =>
    commandsOn(found.item, acts.act('CHOOSE_MENU_ITEM', found.item, { path }, `choose ${path.join(' > ')} in`)),
  );
}
