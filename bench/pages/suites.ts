import type { Suite } from './scenario';
import { libraries } from './suites/libraries';
import { miniwob } from './suites/miniwob';
import { mutations } from './suites/mutations';
import { plain } from './suites/plain';
import { shop } from './suites/shop';
import { todos } from './suites/todos';

export const SUITES = { plain, mutations, libraries, todos, shop, miniwob } satisfies Record<
  string,
  () => Suite | Promise<Suite>
>;
export type SuiteName = keyof typeof SUITES;
