import { EXECUTOR_STREAMER, FRONTEND_API } from './definitions/api-errors';
import { EXECUTOR } from './definitions/browser-errors';
import { AI_INTEGRATION, PROMPT_MANAGER, SCHEMA_MANAGER } from './definitions/model-errors';
import { CONTEXT_MANAGER, STEP_PROCESSOR, TASK_LOOP } from './definitions/session-errors';
import type { ErrorDefinition } from './error-definition';

/** The definitions of S1.38 by module and key. */
export const ERROR_DEFINITIONS = {
  STEP_PROCESSOR,
  TASK_LOOP,
  EXECUTOR,
  AI_INTEGRATION,
  CONTEXT_MANAGER,
  SCHEMA_MANAGER,
  PROMPT_MANAGER,
  EXECUTOR_STREAMER,
  FRONTEND_API,
};

type Definitions = typeof ERROR_DEFINITIONS;
type Values<T> = T[keyof T];

const modules = Object.entries<Record<string, ErrorDefinition>>(ERROR_DEFINITIONS);

/** S1.38: module namespace, key, code. Compare codes, never keys (S1.A18). */
export const ERROR_CODES = Object.fromEntries(
  modules.map(([module, keys]) => [
    module,
    Object.fromEntries(Object.entries(keys).map(([key, { code }]) => [key, code])),
  ]),
) as { readonly [M in keyof Definitions]: { readonly [K in keyof Definitions[M]]: CodeOf<Definitions[M][K]> } };

type CodeOf<Definition> = Definition extends { code: infer Code extends string } ? Code : never;
export type ErrorCode = Values<{ [M in keyof Definitions]: CodeOf<Values<Definitions[M]>> }>;

/** The definitions by code. */
export const ERRORS = Object.fromEntries(
  modules.flatMap(([, keys]) => Object.values(keys).map((definition) => [definition.code, definition])),
) as Record<ErrorCode, ErrorDefinition>;
