import { createRoute } from '@hono/zod-openapi';
import { ModulesHealthSchema, SessionHealthSchema } from '../../contracts/modules/session-health';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { dataOf, errorResponses, SessionParams } from '../openapi/schemas';

const sessionHealth = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/health',
  operationId: 'sessionHealth',
  tags: ['Sessions'],
  summary: 'How the modules of one session are, and whether its links hold',
  description:
    'Read from the database, not from a memory of it. `integrity` names missing links, orphaned module sessions and ' +
    'statuses that disagree, with what to do about each; `isCarried` says whether a process that does the work of the ' +
    'module runs.',
  request: { params: SessionParams },
  responses: { 200: dataOf(SessionHealthSchema, 'How it is, well or not'), ...errorResponses(404, 503) },
});

const modulesHealth = createRoute({
  method: 'get',
  path: '/v1/health/modules',
  operationId: 'modulesHealth',
  tags: ['Service'],
  summary: 'How the nine modules are: their sessions, and what is wrong',
  description: 'Always 200 while the API runs, also when the database is away: `isHealthy` and `errors` say so.',
  responses: { 200: dataOf(ModulesHealthSchema, 'How they are, well or not') },
});

export function addSessionHealth(app: ApiApp, { coordinator }: ApiParts): void {
  app.openapi(sessionHealth, async (c) => {
    const health = await coordinator.sessionHealth(c.req.valid('param').id);
    c.header('Cache-Control', 'no-store');
    return c.json(success(c, health), 200);
  });
  app.openapi(modulesHealth, async (c) => {
    const health = await coordinator.modulesHealth();
    c.header('Cache-Control', 'no-store');
    return c.json(success(c, health), 200);
  });
}
