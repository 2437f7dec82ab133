import { wordsOf, type Word } from '../language/words';
import * as acts from './element-commands';
import type { Page } from './page-index';
import { TO_CHECK } from './purpose';
import { commandsOn, type TargetSearch } from './resolution';

/** “somebody was injured, please mark this”: the only box that is called what was said before. */
export const MARKS_IT = /^(?:mark|tick|check)\s+(?:it|this|that)$/i;

export function boxSaidBefore(page: Page, soft: readonly Word[]): TargetSearch | undefined {
  const said = new Set(soft.map(({ stem }) => stem));
  const [box, ...others] = page.items.filter(
    (item) =>
      TO_CHECK.rank(item) !== undefined &&
      !item.isHidden &&
      wordsOf(item.label, false).length > 0 &&
      wordsOf(item.label, false).every(({ stem }) => said.has(stem)),
  );
  return box && others.length === 0 ? commandsOn(box, acts.check(box, true)) : undefined;
}
