import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { VariableInfoSchema } from '../../contracts/sessions/resources';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { dataOf, errorResponses, SessionParams } from '../openapi/schemas';

const listVariables = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/variables',
  operationId: 'listVariables',
  tags: ['Results'],
  summary: 'The variables of a session, by name; a secret shows its mark instead of its value',
  request: { params: SessionParams },
  responses: {
    200: dataOf(z.array(VariableInfoSchema), 'Given at the start or saved since'),
    ...errorResponses(404, 503),
  },
});

export function addVariables(app: ApiApp, { sessions }: ApiParts): void {
  app.openapi(listVariables, async (c) => {
    return c.json(success(c, await sessions.variables(c.req.valid('param').id)), 200);
  });
}
