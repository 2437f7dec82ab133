/** Numbers of refs from here on are a survey's: Playwright does not reach them. */
export const FIRST_SURVEYED = 900_001;

/** Whether only a survey has the element of this ref. */
export function isSurveyedRef(ref: string): boolean {
  return Number(/e(\d+)$/.exec(ref)?.[1] ?? 0) >= FIRST_SURVEYED;
}
