import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { CommandResponseSchema } from '../../contracts/commands/commands';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { dataOf, errorResponses, SessionParams } from '../openapi/schemas';

const showCommand = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/commands/{commandId}',
  operationId: 'showCommand',
  tags: ['Results'],
  summary: 'The whole answer of one command, with the DOM it left',
  description: '409 while the command has no outcome yet.',
  request: { params: SessionParams.extend({ commandId: z.string() }) },
  responses: { 200: dataOf(CommandResponseSchema, 'The answer'), ...errorResponses(404, 409, 503) },
});

export function addShowCommand(app: ApiApp, { sessions }: ApiParts): void {
  app.openapi(showCommand, async (c) => {
    const { id, commandId } = c.req.valid('param');
    return c.json(success(c, await sessions.command(id, commandId)), 200);
  });
}
