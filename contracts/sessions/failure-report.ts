import { z } from 'zod';
import { WebhookDeliverySchema } from './webhook';

const MOST_ADDRESSES = 10;

/** Who gets a mail when the session has failed; each address gets one of its own. */
export const FailureReportSchema = z.strictObject({
  mail: z
    .array(z.email('expected a mail address, such as ops@acme.example').max(254))
    .min(1, 'expected at least one mail address')
    .max(MOST_ADDRESSES),
});
export type FailureReport = z.infer<typeof FailureReportSchema>;

/** What has become of a mail so far. */
export const MailDeliverySchema = WebhookDeliverySchema.extend({ to: z.string() });
export type MailDelivery = z.infer<typeof MailDeliverySchema>;

/** Whether a list has an address, by itself or as one of a domain: `@acme.example`. */
export function isListedAddress(list: readonly string[], address: string): boolean {
  const wanted = address.toLowerCase();
  return list.some((each) => {
    const listed = each.toLowerCase();
    return listed.startsWith('@') ? wanted.endsWith(listed) : wanted === listed;
  });
}

/** `@acme.example` of `ops@acme.example`. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@'));
}
