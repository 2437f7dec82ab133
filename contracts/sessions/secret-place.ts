import { z } from 'zod';

export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_LENGTH = 4096;

/** A place in a secret manager. None leads up and out of what the operator lists. */
const REFERENCE = /^(?:vault:[^#]+#[^#]+|op:\/\/.+|bitwarden:[\w-]+|google:projects\/.+)$/;
const LEADS_UP = /(?:^|[/:])\.{1,2}(?:[/#]|$)/;

/** Where a value is: an environment variable of the workers, a secret manager that they read, or here. */
export const SourceSchema = z.strictObject({
  env: z.string().regex(ENV_NAME, 'expected the name of an environment variable').optional(),
  value: z.string().min(1).max(MAX_LENGTH).optional(),
  from: z
    .string()
    .max(500)
    .refine(
      (text) => REFERENCE.test(text) && !LEADS_UP.test(text),
      'expected a reference such as vault:secret/data/acme#password, op://vault/item/field, bitwarden:ID or google:projects/P/secrets/S/versions/latest',
    )
    .optional()
    .meta({
      description: 'A place in a secret manager, which browser workers read',
      example: 'vault:secret/data/acme#password',
    }),
});
export type Source = z.infer<typeof SourceSchema>;
/** Without the value, which is sealed in the store. */
export type Place = Pick<Source, 'env' | 'from'>;

export function placed({ env, from }: Source): Place {
  return { ...(env === undefined ? {} : { env }), ...(from === undefined ? {} : { from }) };
}

/** Whether an operator's list has a reference; an entry may end with `*`. */
export function isListedReference(list: readonly string[], reference: string): boolean {
  return list.some((each) => (each.endsWith('*') ? reference.startsWith(each.slice(0, -1)) : reference === each));
}
