/** Set by `npm run chaos:scenarios`, for tests of which the suite runs a short form. */
export const IS_LONG_RUN = process.env['SUREFOOT_TESTS'] === 'scenarios';

/** The rows of a long table that the suite runs: every nth from `first` on, and all of them in the long run. */
export function everyNth<Row>(n: number, rows: readonly Row[], first = 0): Row[] {
  return rows.filter((_, index) => IS_LONG_RUN || index % n === first % n);
}
