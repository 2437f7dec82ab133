import { z } from '@hono/zod-openapi';
import { EffectQuerySchema, EffectSchema, SettleEffectSchema } from '../../contracts/sessions/once';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses } from '../openapi/responses';

const TAGS: ApiTag[] = ['Effects'];
const EffectParams = z.object({
  effectId: z.coerce.number().int().min(1).meta({ description: 'Number of the effect', example: 17 }),
});

/** What is to happen once. */
export function effectRoutes({ effects }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/effects',
        operationId: 'listEffects',
        tags: TAGS,
        summary: 'What was to happen once, and who has done it, newest first',
        request: { query: EffectQuerySchema },
        responses: { 200: dataOf(z.array(EffectSchema), 'The effects'), ...errorResponses(400, 503) },
      },
      async (c) => respond(c, await effects.list(c.req.valid('query')), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/effects/{effectId}',
        operationId: 'showEffect',
        tags: TAGS,
        summary: 'One effect, with the commits that its key covers',
        request: { params: EffectParams },
        responses: { 200: dataOf(EffectSchema, 'The effect'), ...errorResponses(400, 404, 503) },
      },
      async (c) => respond(c, await effects.get(c.req.valid('param').effectId), 200),
    ),
    defineRoute(
      {
        method: 'put',
        path: '/v1/effects/{effectId}/state',
        operationId: 'settleEffect',
        tags: TAGS,
        summary: 'Say that it has happened, or that it may happen again',
        request: {
          params: EffectParams,
          body: { required: true, content: { 'application/json': { schema: SettleEffectSchema } } },
        },
        responses: { 200: dataOf(EffectSchema, 'The effect as it is now'), ...errorResponses(400, 404, 409, 415, 503) },
      },
      async (c) => respond(c, await effects.settle(c.req.valid('param').effectId, c.req.valid('json')), 200),
    ),
  ] as const;
}
