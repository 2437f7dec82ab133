import type { Suite } from './scenario';
import { miniwob } from './suites/miniwob';
import { mutations } from './suites/mutations';
import { plain } from './suites/plain';

export const SUITES = { plain, mutations, miniwob } satisfies Record<string, () => Suite>;
export type SuiteName = keyof typeof SUITES;
