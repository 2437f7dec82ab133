import type { Description } from './description';

/** Whether a target is what was said before: “it”, or “the button next to it”. */
export function refersBack({ readings }: Description): boolean {
  return readings.some((reading) => reading.isPrevious || reading.near?.landmark.some(({ isPrevious }) => isPrevious));
}

/** Puts the target of the previous action in the place of "it". */
export function referTo(target: Description, previous: Description): void {
  if (target.readings.some((reading) => reading.isPrevious)) {
    Object.assign(target, previous);
    return;
  }
  target.readings = target.readings.map((reading) =>
    reading.near?.landmark.some(({ isPrevious }) => isPrevious)
      ? { ...reading, near: { ...reading.near, landmark: previous.readings } }
      : reading,
  );
}

/** A code, or several words of a name: of what a claim after it speaks. */
const NAME = /(?<![\p{L}\p{N}-])(?:\p{Lu}+-)?\p{Lu}{1,4}[ -]?\d[\p{L}\p{N}-]*|\p{Lu}\p{Ll}+(?:\s\p{Lu}\p{Ll}+)+/u;
const OF_IT =
  /^((?:expect|verify|check)\s+that\s+)?(?:its|her|his|their)\s+(?=\p{Ll}+\s+(?:is|are|reads?|shows?|says?)\s)/iu;

/** The name of what a clause does something to. */
export const nameIn = (clause: string): string | undefined => NAME.exec(clause)?.[0];

/** “then its status is retired”: the status of what was named before. */
export const ofNamed = (clause: string, name: string): string =>
  OF_IT.test(clause) ? clause.replace(OF_IT, (_, verb: string = 'expect that ') => `${verb}${name} `) : clause;
