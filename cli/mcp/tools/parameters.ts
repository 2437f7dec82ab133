import { z } from 'zod';

export const sessionId = z.string().min(1).describe('the id of the session, as start_session has given it');

export const key = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe(
    'a name of your own for this request. Sent again under the same name, it is carried out once: use it where a connection may break',
  );

/** Below the 60 s after which clients give a call up unless they are configured otherwise. */
const DEFAULT_WAIT_S = 45;

export const waitSeconds = z
  .number()
  .min(0)
  .max(3600)
  .default(DEFAULT_WAIT_S)
  .describe('how long to follow the session at most; it goes on in any case, and follow_session follows it further');
