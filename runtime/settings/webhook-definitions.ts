import { z } from 'zod';
import { count, commaList, originList } from './schemas';
import { defineSetting } from './setting';

const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

/** How sessions report to `config.webhook`; the API, the CLI and the engine workers read them. */
export const WEBHOOKS = {
  webhooks: {
    secrets: defineSetting({
      env: 'SUREFOOT_WEBHOOK_SECRET',
      schema: commaList().refine((secrets) => secrets.every((secret) => SECRET.test(secret)), {
        error: 'expected whsec_ and 24 to 64 random bytes in base64; several secrets sign while one is rotated',
      }),
      doc: 'Signs [webhooks](../webhooks.md), as `whsec_…` with 24 to 64 random bytes in base64; several, separated by spaces, while one is rotated.',
      otherwise: 'requests with `config.webhook` are refused',
    }),
    origins: defineSetting({
      env: 'SUREFOOT_WEBHOOK_ORIGINS',
      schema: originList(),
      doc: 'Private origins that webhooks may reach, such as `http://hooks.corp.example, http://127.0.0.1:*`.',
      otherwise: 'public ones alone',
    }),
    attempts: defineSetting({
      env: 'SUREFOOT_WEBHOOK_ATTEMPTS',
      schema: count(1).max(30).default(10),
      doc: 'How often a webhook is tried, with pauses that grow from 2 seconds to an hour.',
    }),
    pageUrl: defineSetting({
      env: 'SUREFOOT_PAGE_URL',
      schema: z
        .url({ protocol: /^https?$/, error: 'expected an http or https address, such as https://surefoot.example' })
        .transform((url) => url.replace(/\/+$/, ''))
        .optional(),
      doc: 'Where people reach the [page](../web-page.md), for the links in webhooks.',
      otherwise: 'the address of the local stack; without one webhooks have no links',
    }),
  },
};
