import type { Word } from '../language/words';
import { truncate } from './item-text';

/** Why a step is refused of which some words are nothing on the page. */
export function leftOver(left: readonly Word[]): string {
  const said = truncate(left.map((word) => word.said).join(' '));
  return `Not every word of the step is accounted for on this page. Left out: “${said}”.`;
}
