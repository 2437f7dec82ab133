import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { ModelCallInfoSchema } from '../../contracts/models/usage';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { dataOf, errorResponses, SessionParams } from '../openapi/schemas';

const listModelCalls = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/model-calls',
  operationId: 'listModelCalls',
  tags: ['Results'],
  summary: 'What each call of a model used and cost, also those that failed',
  request: { params: SessionParams },
  responses: {
    200: dataOf(z.array(ModelCallInfoSchema), 'The newest 1,000, oldest first'),
    ...errorResponses(404, 503),
  },
});

export function addModelCalls(app: ApiApp, { sessions }: ApiParts): void {
  app.openapi(listModelCalls, async (c) => {
    return c.json(success(c, await sessions.modelCalls(c.req.valid('param').id)), 200);
  });
}
