import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, paginatedResponseSchema, type PaginatedResponse } from '../../contracts/api';
import { SessionStatus, WorkflowSessionSchema, type WorkflowSession } from '../../contracts/sessions/session';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { errorResponses, jsonOf } from '../openapi/schemas';

const MAX_PAGE = 1_000_000;
const MAX_PAGE_SIZE = 200;

/** `status=ACTIVE&status=PAUSED` and `status=active,paused` say the same. */
function toStatuses(given: unknown): unknown {
  if (given === undefined) return undefined;
  return [given].flat().flatMap((text) => (typeof text === 'string' ? text.toUpperCase().split(',') : [text]));
}

const listSessions = createRoute({
  method: 'get',
  path: '/v1/sessions',
  operationId: 'listSessions',
  tags: ['Sessions'],
  summary: 'List sessions, newest first',
  request: {
    query: z.object({
      page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
      pageSize: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
      status: z.preprocess(
        (given) => toStatuses(given as string | string[] | undefined),
        z.array(z.enum(SessionStatus)).optional(),
      ),
    }),
  },
  responses: {
    200: jsonOf(paginatedResponseSchema(WorkflowSessionSchema), 'One page of sessions'),
    ...errorResponses(400, 503),
  },
});

export function addListSessions(app: ApiApp, { sessions }: ApiParts): void {
  app.openapi(listSessions, async (c) => {
    const { page, pageSize, status } = c.req.valid('query');
    const found = await sessions.list({ page, pageSize, ...(status === undefined ? {} : { statuses: status }) });
    const { total } = found;
    const pagination = { total, page, pageSize, hasNext: page * pageSize < total, hasPrevious: page > 1 };
    const answer = { ...success(c, found.sessions), pagination } satisfies PaginatedResponse<WorkflowSession>;
    return c.json(answer, 200);
  });
}
