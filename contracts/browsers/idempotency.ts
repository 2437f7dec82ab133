import { z } from 'zod';
import { OriginSchema } from './origins';

const DEFAULT_IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** RFC 9110: what a header may be called. */
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
/** Headers with a meaning to browser, proxy or authentication, which ours would change. */
const TAKEN =
  /^(accept|access-control|content|if|proxy|sec|x-forwarded)-|^(accept|age|authorization|cache-control|connection|cookie2?|date|dnt|etag|expect|forwarded|from|host|keep-alive|link|location|origin|pragma|priority|range|referer|server|set-cookie2?|te|trailer|transfer-encoding|upgrade|user-agent|via|warning|x-requested-with|x-(csrf|xsrf)-token|x-api-key)$/i;

/**
 * Optional: the requests that a commit sends to these origins carry a key, the same whenever that commit is sent again.
 * A site that honours it (an Idempotency-Key, as payment services have it) carries the request out once.
 */
export const IdempotencyConfigSchema = z.strictObject({
  header: z
    .string()
    .regex(TOKEN, 'expected the name of a header, of letters, digits and dashes')
    .refine((name) => !TAKEN.test(name), {
      error: ({ input }) => `${String(input)} has a meaning of its own; use a header that the site has for this alone`,
    })
    .optional(),
  origins: z
    .array(OriginSchema)
    .min(1, 'name the origins that honour the header, such as https://shop.example')
    .max(20),
});

/** With its default filled in. */
export interface Idempotency {
  header: string;
  origins: string[];
}

export function resolveIdempotency({ header, origins }: z.infer<typeof IdempotencyConfigSchema>): Idempotency {
  return { header: header ?? DEFAULT_IDEMPOTENCY_HEADER, origins: [...new Set(origins)] };
}
