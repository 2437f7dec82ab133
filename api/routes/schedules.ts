import { z } from '@hono/zod-openapi';
import {
  BackfillScheduleSchema,
  UpdateScheduleSchema,
  ScheduleDetailsSchema,
  ScheduleNoteSchema,
  ScheduleRequestSchema,
  ScheduleSchema,
  TriggeredSchema,
  TriggerScheduleSchema,
} from '../../contracts/sessions/schedule';
import { StartRequestSchema } from '../../contracts/sessions/start-request';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { idempotencyKeyOf } from '../http/receipt';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses, jsonBody, optionalJsonBody } from '../openapi/responses';
import { IdempotencyHeaders } from '../openapi/schemas';

const TAGS: ApiTag[] = ['Schedules'];
const query = z.object({
  tenant: StartRequestSchema.shape.tenant.meta({
    description: 'Whose schedules; one of another tenant is then unknown',
  }),
});
const request = {
  params: z.object({ id: z.string().min(1).meta({ description: 'Id of the schedule', example: 'nightly' }) }),
  query,
};
const example = {
  id: 'nightly',
  cron: '0 3 * * *',
  timeZone: 'Europe/Vienna',
  request: { steps: ['Open https://shop.example/stock', 'Save the table as stock'] },
};

/** Sessions that Temporal starts by the clock. */
export function scheduleRoutes({ schedules }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'post',
        path: '/v1/schedules',
        operationId: 'createSchedule',
        tags: TAGS,
        summary: 'Create a schedule',
        description:
          'What it starts is validated as by `POST /v1/sessions`; a secret comes by `env` alone. The same request ' +
          'again is the same schedule; 409 where another one has the id.',
        request: { body: jsonBody(ScheduleRequestSchema, example) },
        responses: {
          201: dataOf(ScheduleDetailsSchema, 'The schedule'),
          ...errorResponses(400, 403, 404, 409, 413, 415, 503),
        },
      },
      async (c) => respond(c, await schedules.create(c.req.valid('json')), 201),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/schedules',
        operationId: 'listSchedules',
        tags: TAGS,
        summary: 'Schedules of all tenants, or of one',
        description: 'Temporal shows a new one in its lists a moment later.',
        request: { query },
        responses: { 200: dataOf(z.array(ScheduleSchema), 'The schedules'), ...errorResponses(400, 503) },
      },
      async (c) => respond(c, await schedules.list(c.req.valid('query').tenant), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/schedules/{id}',
        operationId: 'showSchedule',
        tags: TAGS,
        summary: 'One schedule: when, what, and its newest sessions',
        request,
        responses: { 200: dataOf(ScheduleDetailsSchema, 'The schedule'), ...errorResponses(400, 404, 503) },
      },
      async (c) => respond(c, await schedules.get({ ...c.req.valid('param'), ...c.req.valid('query') }), 200),
    ),
    defineRoute(
      {
        method: 'patch',
        path: '/v1/schedules/{id}',
        operationId: 'updateSchedule',
        tags: TAGS,
        summary: 'Change when it starts sessions, or what it starts',
        description:
          'What is left out stays; `cron`, `every` and `calendar` are changed together. An open session goes on as ' +
          'it was.',
        request: { ...request, body: jsonBody(UpdateScheduleSchema, { cron: '30 2 * * *' }) },
        responses: {
          200: dataOf(ScheduleDetailsSchema, 'The schedule'),
          ...errorResponses(400, 403, 404, 413, 415, 503),
        },
      },
      async (c) =>
        respond(
          c,
          await schedules.update({ ...c.req.valid('param'), ...c.req.valid('query') }, c.req.valid('json')),
          200,
        ),
    ),
    defineRoute(
      {
        method: 'delete',
        path: '/v1/schedules/{id}',
        operationId: 'deleteSchedule',
        tags: TAGS,
        summary: 'Delete a schedule; the sessions that it has started go on',
        request,
        responses: {
          200: dataOf(z.object({ deleted: z.literal(true) }), 'It is deleted'),
          ...errorResponses(400, 404, 503),
        },
      },
      async (c) => {
        await schedules.delete({ ...c.req.valid('param'), ...c.req.valid('query') });
        return respond(c, { deleted: true as const }, 200);
      },
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/schedules/{id}/pause',
        operationId: 'pauseSchedule',
        tags: TAGS,
        summary: 'Have it start nothing until it is resumed',
        request: { ...request, body: optionalJsonBody(ScheduleNoteSchema) },
        responses: { 200: dataOf(ScheduleDetailsSchema, 'The schedule'), ...errorResponses(400, 404, 413, 415, 503) },
      },
      async (c) =>
        respond(
          c,
          await schedules.pause({ ...c.req.valid('param'), ...c.req.valid('query') }, c.req.valid('json')),
          200,
        ),
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/schedules/{id}/resume',
        operationId: 'resumeSchedule',
        tags: TAGS,
        summary: 'Have it start sessions again, from its next time on',
        request: { ...request, body: optionalJsonBody(ScheduleNoteSchema) },
        responses: { 200: dataOf(ScheduleDetailsSchema, 'The schedule'), ...errorResponses(400, 404, 413, 415, 503) },
      },
      async (c) =>
        respond(
          c,
          await schedules.resume({ ...c.req.valid('param'), ...c.req.valid('query') }, c.req.valid('json')),
          200,
        ),
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/schedules/{id}/trigger',
        operationId: 'triggerSchedule',
        tags: TAGS,
        summary: 'Start a session now',
        description: 'Also of a paused schedule. `reason` names a session that is open, and what `overlap` does then.',
        request: { ...request, headers: IdempotencyHeaders, body: optionalJsonBody(TriggerScheduleSchema) },
        responses: { 202: dataOf(TriggeredSchema, 'It is asked for'), ...errorResponses(400, 404, 413, 415, 503) },
      },
      async (c) =>
        respond(
          c,
          await schedules.trigger(
            { ...c.req.valid('param'), ...c.req.valid('query') },
            c.req.valid('json'),
            idempotencyKeyOf(c),
          ),
          202,
        ),
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/schedules/{id}/backfill',
        operationId: 'backfillSchedule',
        tags: TAGS,
        summary: 'Start what would have been due between two times',
        description: 'A time whose session has run already does nothing again.',
        request: { ...request, headers: IdempotencyHeaders, body: jsonBody(BackfillScheduleSchema) },
        responses: { 202: dataOf(TriggeredSchema, 'It is asked for'), ...errorResponses(400, 404, 413, 415, 503) },
      },
      async (c) =>
        respond(
          c,
          await schedules.backfill(
            { ...c.req.valid('param'), ...c.req.valid('query') },
            c.req.valid('json'),
            idempotencyKeyOf(c),
          ),
          202,
        ),
    ),
  ] as const;
}
