import type { Random } from '../../../bench/chaos/random';
import { OTHER_VARIANTS } from './other-variants';
import { PRESSED_VARIANTS } from './pressed-variants';
import type { Variant } from './variant';

const MAKERS = [...PRESSED_VARIANTS, ...OTHER_VARIANTS];

/** Variants of every kind in turn. */
export function variants(random: Random, count: number): Variant[] {
  return Array.from({ length: count }, (_, at) => MAKERS[at % MAKERS.length]!(random, `v${at}`));
}
