import type { ApprovalView } from '../../../contracts/browsers/approval-view';
import type { ApprovedRequest } from '../../../contracts/browsers/approved-request';
import { movingPlaces, type MovingPlace } from './moving-texts';
import { movingPlacesIn } from './pixel-difference';
import type { RegionBox } from './rendered-page';
import type { Sight } from './sight';

/** What a person was asked about: the page as it was, with what changed on it by itself before that. Sealed in the store. */
export interface Baseline {
  sight: Sight;
  moving: MovingPlace[];
  /** Parts of the region's picture that move. */
  movingParts: RegionBox[];
  /** Names of hidden fields that had another value of the same kind before the question. */
  nonces: string[];
  /** The request that would have left instead of what was shown, where there was one: the yes is to that. */
  request?: ApprovedRequest | undefined;
  /** As it was shown; secrets are masked. */
  view: Omit<ApprovalView, 'screenshotId'>;
}

export type Comparable = Omit<Baseline, 'view' | 'request'>;

/** Learns from reads of the same page, oldest first, of which the last is the one to be shown. */
export function learnBaseline(sights: readonly Sight[], earlier: readonly Sight[]): Comparable {
  const sight = sights.at(-1)!;
  const pictures = sights.flatMap(({ picture }) => picture ?? []);
  return {
    sight,
    moving: movingPlaces(sights),
    movingParts: movingPlacesIn(pictures.toReversed()),
    nonces: noncesIn([...earlier, ...sights]),
  };
}

const OPAQUE = /^[\w+/=.~-]{16,}$/;
/** Two texts that were drawn by chance have hardly a letter at the same place. */
const LEAST_DIFFERENCE = 0.6;

/** Whether one was drawn by chance as the other was: long, of letters and digits, and different almost everywhere. */
export function isTextRedrawn(was: string, is: string): boolean {
  const areOpaque = [was, is].every((each) => OPAQUE.test(each) && /[a-z]/i.test(each) && /\d/.test(each));
  if (!areOpaque || Math.abs(was.length - is.length) > 2 + was.length / 10) return false;
  const length = Math.min(was.length, is.length);
  const differing = Array.from({ length }, (_, index) => is[index] !== was[index]).filter((differs) => differs).length;
  return differing >= length * LEAST_DIFFERENCE;
}

function noncesIn(sights: readonly Sight[]): string[] {
  const values = new Map<string, string[]>();
  for (const { fields, entries } of sights) {
    const hidden = fields.flatMap(({ name, value, isHidden }): [string, string][] => (isHidden ? [[name, value]] : []));
    const visible = new Set(fields.flatMap(({ name, isHidden }) => (isHidden ? [] : [name])));
    for (const [name, value] of [...hidden, ...entries.filter(([name]) => !visible.has(name))])
      values.set(name, [...(values.get(name) ?? []), value]);
  }
  return [...values].flatMap(([name, each]) =>
    new Set(each).size > 1 && each.every((value) => value === each[0] || isTextRedrawn(each[0]!, value)) ? [name] : [],
  );
}
