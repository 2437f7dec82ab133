import { z } from 'zod';
import { amount, count, commaList, port } from './schemas';
import { defineSetting } from './setting';

const DAY_MS = 86_400_000;

/** Settings of the API. */
export const API = {
  listen: {
    host: defineSetting({
      env: 'HOST',
      schema: z.string().default('127.0.0.1'),
      doc: 'Where the API listens; beyond this machine only with SUREFOOT_API_TOKEN and SUREFOOT_API_NAMES.',
    }),
    port: defineSetting({
      env: 'PORT',
      schema: port(3000),
      doc: 'Port of the API; 0 takes a free one.',
    }),
    names: defineSetting({
      env: 'SUREFOOT_API_NAMES',
      schema: commaList(),
      doc: 'Further host names by which the API may be called, besides localhost.',
    }),
  },
  codecOrigins: defineSetting({
    env: 'SUREFOOT_CODEC_ORIGINS',
    schema: commaList(),
    doc: "Origins of [Temporal UIs](../security.md#temporal) that may read encrypted payloads at `/codec`, besides the local stack's own.",
  }),
  apiToken: defineSetting({
    env: 'SUREFOOT_API_TOKEN',
    schema: z
      .string()
      .regex(/^\S{16,}$/, 'expected at least 16 characters without a space')
      .optional(),
    doc: 'What callers must send as `Authorization: Bearer`; 401 (FA002) without it. Documentation and `/health` are open.',
  }),
  pageKey: defineSetting({
    env: 'SUREFOOT_PAGE_KEY',
    schema: z
      .string()
      .regex(/^[\w-]{16,}$/, 'expected at least 16 letters, digits and - _')
      .optional(),
    doc: 'What the [page](../web-page.md) of an API without SUREFOOT_API_TOKEN needs before it may act.',
    otherwise: 'a new one each time the local stack starts, which prints it',
  }),
  mcpToken: defineSetting({
    env: 'SUREFOOT_MCP_TOKEN',
    schema: z
      .string()
      .regex(/^[\w.~+/-]{16,}=*$/, 'expected at least 16 letters, digits and . _ ~ + / -')
      .optional(),
    doc: 'What clients of `surefoot mcp --http` must send as `Authorization: Bearer`.',
    otherwise: 'a new one each time, which it prints',
  }),
  requestsPerMinute: defineSetting({
    env: 'SUREFOOT_REQUESTS_PER_MINUTE',
    schema: count(1).optional(),
    doc: 'How many requests the API takes from one address; 429 (FA003) beyond.',
  }),
  relay: {
    heartbeatMs: defineSetting({
      env: 'SUREFOOT_RELAY_HEARTBEAT_MS',
      schema: count(50).default(20_000),
      doc: 'Time between two heartbeats of a browser on the [relay](../relay.md).',
    }),
    pairingMs: defineSetting({
      env: 'SUREFOOT_RELAY_PAIRING_MS',
      schema: count(1).default(300_000),
      doc: 'How long a pairing token of the relay is valid.',
    }),
    sessionMs: defineSetting({
      env: 'SUREFOOT_RELAY_SESSION_DAYS',
      schema: amount()
        .transform((days) => days * DAY_MS)
        .prefault(30),
      doc: 'How long a session token of the relay is valid, in days.',
    }),
  },
};
