import { z } from 'zod';
import { placed, SourceSchema, type Place } from './secret-place';

const TLS_PORT = 993;
const STARTTLS_PORT = 143;

/** Where the engine finds by itself what a person is asked for: mails that came since the session began. */
export const MailboxSchema = z
  .strictObject({
    host: z
      .string()
      .regex(/^[\w.-]{1,253}$|^\[[\da-f:]+\]$/i, 'expected the name of an IMAP server, such as imap.example.com'),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .meta({
        description: `${TLS_PORT} where it is left out; ${STARTTLS_PORT} begins in plain text and needs STARTTLS`,
      }),
    tls: z.boolean().optional().meta({ description: '`false` only for a server on the same host' }),
    user: z.string().min(1).max(254),
    password: SourceSchema,
    folder: z.string().min(1).max(200).optional().meta({ description: '`INBOX` where it is left out' }),
    from: z
      .string()
      .regex(/^[^\s@]*@[^\s@]+$/, 'expected a sender such as no-reply@acme.example, or all of a domain: @acme.example')
      .max(254)
      .meta({ description: 'The sender, or all of a domain', example: '@acme.example' }),
    subject: z.string().trim().min(1).max(200).optional().meta({ description: 'A text in the subject' }),
    near: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'The text before the code, or a part of the address of the link' }),
  })
  .refine(({ tls, host }) => tls !== false || /^(localhost|127\.[\d.]+|\[::1\])$/i.test(host), {
    path: ['tls'],
    message: 'expected true: a password goes to another host encrypted alone',
  });
export type MailboxInput = z.infer<typeof MailboxSchema>;

/** As a session keeps it: without the password. */
export type MailboxPlan = Omit<MailboxInput, 'password'> & { password: Place };

export function mailboxPlan({ password, ...mailbox }: MailboxInput): MailboxPlan {
  return { ...mailbox, password: placed(password) };
}

export function mailPort({ port = TLS_PORT }: Pick<MailboxPlan, 'port'>): number {
  return port;
}

/** Whether the connection begins in TLS, changes to it, or does without. */
export function mailSecurity({ port, tls = true }: Pick<MailboxPlan, 'port' | 'tls'>): 'tls' | 'starttls' | 'none' {
  if (!tls) return 'none';
  return port === STARTTLS_PORT ? 'starttls' : 'tls';
}

/** As people know it. */
export function mailboxName({ user, host }: Pick<MailboxPlan, 'user' | 'host'>): string {
  return `the mailbox ${user} at ${host}`;
}

/** Whether an operator's list has its server: `imap.example.com` for the usual ports, else `imap.example.com:1993`. */
export function isListedServer(list: readonly string[], mailbox: Pick<MailboxPlan, 'host' | 'port'>): boolean {
  const port = mailPort(mailbox);
  const host = mailbox.host.toLowerCase();
  return list.some((each) => {
    const listed = each.toLowerCase();
    return listed === `${host}:${port}` || (listed === host && (port === TLS_PORT || port === STARTTLS_PORT));
  });
}
