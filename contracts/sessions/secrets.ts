import { z } from 'zod';
import { NetworkGuardSchema } from '../browsers/network-policy';
import { OriginSchema } from '../browsers/origins';
import { AskedAsSchema, type AskedAs } from '../approvals/asked-secret';
import type { Issue } from '../errors/issues';
import { mailboxPlan, MailboxSchema, type MailboxPlan } from './mailbox';
import { DurationSchema, durationMs } from './schedule-duration';
import { placed, SourceSchema, type Place, type Source } from './secret-place';

const DEFAULT_WITHIN = '1h';
const MAX_WITHIN_MS = 30 * 86_400_000;

/**
 * A value that the engine only types into fields of these origins, or signs in with at them by HTTP. A request passes the name of an environment
 * variable of the workers, or the value; a value is sealed in the store and never reaches Temporal.
 */
export const SecretInputSchema = SourceSchema.extend({
  origins: z
    .array(OriginSchema)
    .min(1, 'name the origins that it may be typed into, such as https://shop.example')
    .max(20),
  /** The seed of an authenticator app: what is typed is its code at that moment. */
  totp: SourceSchema.optional(),
  ask: z.string().trim().min(1).max(300).optional().meta({
    description: 'What a person is asked for, when the first command needs it',
    example: 'The code that Acme sent by SMS',
  }),
  within: DurationSchema.refine((text) => durationMs(text) <= MAX_WITHIN_MS, 'expected at most 30d')
    .optional()
    .meta({ description: `How long the person has; ${DEFAULT_WITHIN} where it is left out`, example: '10m' }),
  as: AskedAsSchema.optional().meta({
    description: '`link`: an address, which is opened instead of typed; `code` where it is left out',
  }),
  exclusive: z
    .boolean()
    .optional()
    .meta({ description: 'One open session of the tenant at a time uses it; others wait' }),
  mailbox: MailboxSchema.optional().meta({
    description: 'Where the engine looks for the answer while a person is asked',
  }),
});
export type SecretInput = z.infer<typeof SecretInputSchema>;

/** As a session keeps it. Where no `env` is named, its value is sealed in the store. */
export type SecretPlan = Pick<SecretInput, 'origins' | 'env' | 'from' | 'ask' | 'within' | 'as' | 'exclusive'> & {
  totp?: Place | undefined;
  mailbox?: MailboxPlan | undefined;
};

/** What a person is asked for, with every default filled in. */
export interface SecretQuestion {
  ask: string;
  withinMs: number;
  as: AskedAs;
  mailbox?: MailboxPlan | undefined;
}

export function questionOf({
  ask,
  within = DEFAULT_WITHIN,
  as = 'code',
  mailbox,
}: Pick<SecretPlan, 'ask' | 'within' | 'as' | 'mailbox'>): SecretQuestion | undefined {
  if (ask === undefined) return undefined;
  return { ask, withinMs: durationMs(within), as, ...(mailbox === undefined ? {} : { mailbox }) };
}

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
    Object.entries(secrets).map(([alias, { origins, totp, mailbox, value: _value, env, from, ...asked }]) => [
      alias,
      {
        origins: [...new Set(origins)],
        ...placed({ env, from }),
        ...(totp === undefined ? {} : { totp: placed(totp) }),
        ...(mailbox === undefined ? {} : { mailbox: mailboxPlan(mailbox) }),
        ...asked,
      },
    ]),
  );
}

/** Where the value of a secret is, or its seed, or the password of its mailbox, and the member of the request that says so. */
export function sourceOf(
  alias: string,
  { env, value, from, totp, mailbox }: Pick<SecretInput, 'env' | 'value' | 'from' | 'totp' | 'mailbox'>,
): Source & { path: string } {
  const path = `secrets.${alias}`;
  if (mailbox !== undefined) return { path: `${path}.mailbox.password`, ...mailbox.password };
  return totp === undefined ? { path, env, value, from } : { path: `${path}.totp`, ...totp };
}

/** The values to seal, by alias. */
export function secretValues({ secrets = {} }: SecretsAndNames): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([alias, secret]) => {
      const { value } = sourceOf(alias, secret);
      return value === undefined ? [] : [[alias, value]];
    }),
  );
}

export function aliasIssues({ secrets = {}, variables = {} }: SecretsAndNames): Issue[] {
  return Object.keys(secrets)
    .filter((alias) => alias in variables)
    .map((alias) => ({ path: `secrets.${alias}`, message: `${alias} is the name of a variable too; give it another` }));
}

/** Where a request may still carry a value, exactly one of `env` and `value` is required. */
export function sourceIssues({ secrets = {} }: SecretsAndNames): Issue[] {
  return Object.entries(secrets).flatMap(([alias, secret]) => {
    const { path, env, value, from } = sourceOf(alias, secret);
    const asks = secret.ask !== undefined;
    if (asks && (secret.totp ?? secret.env ?? secret.value ?? secret.from) !== undefined)
      return [
        { path: `secrets.${alias}.ask`, message: 'a person is asked for the value, so give no other source of it' },
      ];
    if (!asks && (secret.within ?? secret.as ?? secret.mailbox) !== undefined)
      return [{ path: `secrets.${alias}`, message: 'within, as and mailbox go with ask alone' }];
    if (asks && secret.mailbox === undefined)
      return secret.exclusive === true
        ? [
            {
              path: `secrets.${alias}.exclusive`,
              message: 'mark the password beside it, by which sessions know one another',
            },
          ]
        : [];
    if (secret.totp !== undefined && (secret.env ?? secret.value ?? secret.from) !== undefined)
      return [{ path: `secrets.${alias}`, message: 'expected totp, or a source beside it, and not both' }];
    if ([env, value, from].filter((source) => source !== undefined).length === 1) return [];
    return [
      {
        path,
        message: `expected one of value, env (an environment variable of the workers)${asks ? '' : ', totp, ask'} and from (a secret manager)`,
      },
    ];
  });
}

/** Refuses values in the input of a workflow, which stays in its history for good. */
export function bareValueIssues(given: SecretsAndNames): Issue[] {
  return Object.keys(secretValues(given)).map((alias) => ({
    path: `${sourceOf(alias, given.secrets![alias]!).path}.value`,
    message:
      'a start by plain Temporal writes the value into the history; give env instead, or start by the API or the CLI, and change this secret now',
  }));
}

/** What is kept longer than its sessions holds no value of a secret; `why` is the beginning of the sentence. */
export function keptValueIssues(request: Parameters<typeof secretValues>[0], why: string): Issue[] {
  return Object.keys(secretValues(request)).map((alias) => ({
    path: `${sourceOf(alias, request.secrets![alias]!).path}.value`,
    message: `${why}, so give env: the name of an environment variable of the workers`,
  }));
}
