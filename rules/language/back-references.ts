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
