import { z } from 'zod';
import { commaList } from './schemas';
import { defineSetting } from './setting';

/** How sessions and batches report by mail that they have failed; the API, the CLI and the engine workers read them. */
export const MAIL = {
  mail: {
    server: defineSetting({
      env: 'SUREFOOT_SMTP_URL',
      // The message names no part of the address, which may have a password.
      schema: z
        .string()
        .refine(isServer, 'expected an address such as smtps://user:password@smtp.example.com, or smtp:// for STARTTLS')
        .optional(),
      doc: 'The server that takes [mails](../webhooks.md#by-mail), as `smtps://user:password@smtp.example.com`; `smtp://…:587` begins in plain text and, with a password, needs STARTTLS.',
      otherwise: 'requests for mails are refused',
    }),
    from: defineSetting({
      env: 'SUREFOOT_MAIL_FROM',
      schema: z.email('expected a mail address, such as surefoot@acme.example').optional(),
      doc: 'Who sends them, such as `surefoot@acme.example`; it is needed too.',
    }),
    recipients: defineSetting({
      env: 'SUREFOOT_MAIL_TO',
      schema: commaList().refine(
        (list) => list.every((each) => /^[^\s@]*@[^\s@]+$/.test(each)),
        'expected addresses and domains, such as ops@acme.example, @acme.example',
      ),
      doc: 'Who may get them: addresses, or all of a domain, `@acme.example`.',
      otherwise: 'all of the domain that sends them',
    }),
  },
};

function isServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  return /^smtps?:$/.test(protocol) && hostname !== '' && pathname.length <= 1;
}
