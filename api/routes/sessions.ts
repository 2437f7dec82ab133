import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, paginatedResponseSchema, type PaginatedResponse } from '../../contracts/api';
import { SessionHealthSchema } from '../../contracts/modules/session-health';
import { ErasedSessionSchema } from '../../contracts/sessions/erased-session';
import { ListedSessionSchema, SessionFilterSchema, type ListedSession } from '../../contracts/sessions/session-list';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond, success } from '../http/envelope';
import { createLinks } from '../http/links';
import { dataOf, errorResponses, jsonOf } from '../openapi/responses';
import { SessionDetailsSchema, SessionParams } from '../openapi/schemas';

const MAX_PAGE = 1_000_000;
const MAX_PAGE_SIZE = 200;

const ListQuerySchema = SessionFilterSchema.extend({
  page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
  pageSize: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
});

export function sessionRoutes(parts: ApiParts) {
  const { sessions, coordinator } = parts;
  const linksOf = createLinks(parts);
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions',
        operationId: 'listSessions',
        tags: ['Sessions'],
        summary: 'List sessions, with what each waits for',
        request: { query: ListQuerySchema },
        responses: {
          200: jsonOf(paginatedResponseSchema(ListedSessionSchema), 'One page of sessions'),
          ...errorResponses(400, 503),
        },
      },
      async (c) => {
        const { page, pageSize, status: statuses, waiting, q: search, sort } = c.req.valid('query');
        const isWaiting = waiting === undefined ? undefined : waiting === 'true';
        const found = await sessions.list({ page, pageSize, statuses, isWaiting, search, sort });
        const { total } = found;
        const pagination = { total, page, pageSize, hasNext: page * pageSize < total, hasPrevious: page > 1 };
        const body = { ...success(c, found.sessions), pagination } satisfies PaginatedResponse<ListedSession>;
        return c.json(body, 200);
      },
    ),
    defineRoute(
      {
        method: 'delete',
        path: '/v1/sessions/{id}',
        operationId: 'eraseSession',
        tags: ['Sessions'],
        summary: 'Erase all data of an ended session',
        description:
          'Its history in Temporal too, where the server allows that; `left` says what may remain elsewhere. 409 ' +
          'while the session is not over. Afterwards its Idempotency-Key starts a new one.',
        request: { params: SessionParams },
        responses: {
          200: dataOf(ErasedSessionSchema, 'What was erased, and what is left'),
          ...errorResponses(404, 409, 503),
        },
      },
      async (c) => respond(c, await sessions.erase(c.req.valid('param').id), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}',
        operationId: 'showSession',
        tags: ['Sessions'],
        summary: 'One session: progress, step results, saved variables',
        description:
          '`dom=true` brings up to 16 MB of DOMs along. Values from the environment are shown as `[secret]`.',
        request: { params: SessionParams, query: z.object({ dom: z.enum(['true', 'false']).default('false') }) },
        responses: { 200: dataOf(SessionDetailsSchema, 'The session'), ...errorResponses(400, 404, 503) },
      },
      async (c) => {
        const dom = c.req.valid('query').dom === 'true';
        const details = await sessions.get(c.req.valid('param').id, { dom });
        const links = linksOf({ ...details.session, workflowId: details.workflowId });
        return respond(c, { ...details, links }, 200);
      },
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/health',
        operationId: 'sessionHealth',
        tags: ['Sessions'],
        summary: 'How the modules of one session are, and whether its links hold',
        description:
          '`integrity` names missing links, orphaned module sessions and statuses that disagree, with what to do ' +
          'about each.',
        request: { params: SessionParams },
        responses: { 200: dataOf(SessionHealthSchema, 'How it is, well or not'), ...errorResponses(404, 503) },
      },
      async (c) => {
        const health = await coordinator.sessionHealth(c.req.valid('param').id);
        c.header('Cache-Control', 'no-store');
        return respond(c, health, 200);
      },
    ),
  ] as const;
}
