import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { bodyLimit } from 'hono/body-limit';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { z } from 'zod';
import { declareAccess } from './http/access';
import type { ApiApp, ApiEnv, PayloadCodecParts } from './http/context';
import { HttpError, invalidRequest, requestError } from './http/error-response';
import { limitDepth, requireJson } from './http/request-guards';
import { issuesOf } from '../contracts/errors/issues';

const { Payloads } = temporal.api.common.v1;

/** The UI asks for all payloads of a page of history at once. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Payloads as JSON of proto3 has them: bytes are base64, and what is empty is left out. */
const BodySchema = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), z.string()).default({}), data: z.string().default('') }))
    .default([]),
});

/** Adds Temporal's remote codec protocol (docs.temporal.io, Codec Server). */
export function addPayloadCodec(app: ApiApp, { codec, isAllowed }: PayloadCodecParts): void {
  const answerPages = cors({
    origin: (origin) => (isAllowed(origin) ? origin : null),
    allowMethods: ['POST'],
    allowHeaders: ['Content-Type', 'X-Namespace', 'Authorization'],
    credentials: true,
  });
  const checkPage: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && !isAllowed(origin)) {
      const message = `Pages of ${origin} may not read payloads here. Add the address of your Temporal UI to SUREFOOT_CODEC_ORIGINS.`;
      throw new HttpError(requestError(403, message));
    }
    await next();
  };
  const guards = [answerPages, checkPage, requireJson, bodyLimit({ maxSize: MAX_BYTES }), limitDepth] as const;
  for (const path of ['/codec/encode', '/codec/decode']) {
    app.options(path, declareAccess.preflight, answerPages);
    app.post(path, declareAccess['listed-pages'], ...guards, async (c) => {
      const parsed = BodySchema.safeParse(await c.req.json());
      if (!parsed.success) throw new HttpError(invalidRequest(issuesOf(parsed.error)));
      const { payloads } = Payloads.fromObject(parsed.data);
      const turned = await (path === '/codec/encode' ? codec.encode(payloads) : decode(codec, payloads));
      // Without empty lists of fields that are newer than a caller: Temporal's command line takes none that it does not know.
      return c.json({ payloads: [], ...Payloads.toObject(Payloads.create({ payloads: turned }), { bytes: String }) });
    });
  }
}

async function decode(codec: PayloadCodec, payloads: Payload[]): Promise<Payload[]> {
  try {
    return await codec.decode(payloads);
  } catch (error) {
    throw new HttpError(requestError(400, `A payload can't be decrypted: ${(error as Error).message}`), error);
  }
}
