import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { createLinks } from '../links';
import { dataOf, errorResponses, SessionDetailsSchema, SessionParams } from '../openapi/schemas';

const showSession = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}',
  operationId: 'showSession',
  tags: ['Sessions'],
  summary: 'One session: progress, step results, saved variables',
  description:
    'DOMs are left out, and the metadata of a command says so (`domTruncated`, `domLength` in bytes); `dom=true` brings ' +
    'up to 16 MB of them along. Values that came from the environment are shown as `[secret]`.',
  request: {
    params: SessionParams,
    query: z.object({ dom: z.enum(['true', 'false']).default('false') }),
  },
  responses: { 200: dataOf(SessionDetailsSchema, 'The session'), ...errorResponses(400, 404, 503) },
});

export function addShowSession(app: ApiApp, parts: ApiParts): void {
  const linksOf = createLinks(parts);
  app.openapi(showSession, async (c) => {
    const dom = c.req.valid('query').dom === 'true';
    const details = await parts.sessions.get(c.req.valid('param').id, { dom });
    const links = linksOf(details.session.sessionId, details.workflowId);
    return c.json(success(c, { ...details, links }), 200);
  });
}
