export const NAIVE_QUEUE = 'naive';

/** Names the file that the workflow was bundled into. */
export const NAIVE_BUNDLE_VARIABLE = 'NAIVE_BUNDLE';
