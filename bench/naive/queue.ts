export const NAIVE_QUEUE = 'naive';

/** Environment variable with the file of the workflow bundle. */
export const NAIVE_BUNDLE_VARIABLE = 'NAIVE_BUNDLE';
