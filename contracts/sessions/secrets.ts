import { z } from 'zod';
import { NetworkGuardSchema } from '../browsers/network-policy';
import { OriginSchema } from '../browsers/origins';
import type { Issue } from '../errors/issues';

export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_LENGTH = 4096;

/**
 * A value that the engine only types into fields of these origins, or signs in with at them by HTTP. A request passes the name of an environment
 * variable of the workers, or the value; a value is sealed in the store and never reaches Temporal.
 */
export const SecretInputSchema = z.strictObject({
  origins: z
    .array(OriginSchema)
    .min(1, 'name the origins that it may be typed into, such as https://shop.example')
    .max(20),
  env: z.string().regex(ENV_NAME, 'expected the name of an environment variable').optional(),
  value: z.string().min(1).max(MAX_LENGTH).optional(),
});
export type SecretInput = z.infer<typeof SecretInputSchema>;

/** As a session keeps it. Without `env` its value is sealed in the store. */
export type SecretPlan = Omit<SecretInput, 'value'>;

/** Details of an error, and of a warning, that say which guard of a session refused something. */
export const RefusalDetailsSchema = z.looseObject({
  guard: z.enum(['secret-origin', 'secret-use', 'approved-request', ...NetworkGuardSchema.options]),
});
export type RefusalDetails = z.infer<typeof RefusalDetailsSchema>;

interface SecretsAndNames {
  secrets?: Record<string, SecretInput> | undefined;
  variables?: Record<string, unknown> | undefined;
}

export function secretPlans({ secrets = {} }: SecretsAndNames): Record<string, SecretPlan> {
  return Object.fromEntries(
    Object.entries(secrets).map(([alias, { origins, env }]) => [
      alias,
      { origins: [...new Set(origins)], ...(env === undefined ? {} : { env }) },
    ]),
  );
}

/** The values to seal, by alias. */
export function secretValues({ secrets = {} }: SecretsAndNames): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([alias, { value }]) => (value === undefined ? [] : [[alias, value]])),
  );
}

export function aliasIssues({ secrets = {}, variables = {} }: SecretsAndNames): Issue[] {
  return Object.keys(secrets)
    .filter((alias) => alias in variables)
    .map((alias) => ({ path: `secrets.${alias}`, message: `${alias} is the name of a variable too; give it another` }));
}

/** Where a request may still carry a value, exactly one of `env` and `value` is required. */
export function sourceIssues({ secrets = {} }: SecretsAndNames): Issue[] {
  return Object.entries(secrets)
    .filter(([, { env, value }]) => (env === undefined) === (value === undefined))
    .map(([alias]) => ({
      path: `secrets.${alias}`,
      message: 'expected either value, or env: the name of an environment variable of the workers',
    }));
}

/** Refuses values in the input of a workflow, which stays in its history for good. */
export function bareValueIssues(given: SecretsAndNames): Issue[] {
  return Object.keys(secretValues(given)).map((alias) => ({
    path: `secrets.${alias}.value`,
    message:
      'a start by plain Temporal writes the value into the history; give env instead, or start by the API or the CLI, and change this secret now',
  }));
}
