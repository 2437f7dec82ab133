/** Set by `npm run chaos:scenarios`, for tests of which the suite runs a short form. */
export const IS_LONG_RUN = process.env['SUREFOOT_TESTS'] === 'scenarios';
