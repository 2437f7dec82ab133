import {
  HandBackRequestSchema,
  TakeOverRequestSchema,
  TakeoverInputSchema,
  TakeoverSchema,
} from '../../contracts/browsers/takeover';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses, jsonBody } from '../openapi/responses';
import { SessionParams } from '../openapi/schemas';

const TAKEOVER_ID = '0198c1f0-5f3e-7c1a-9d20-2b1c8f1e7a01';
const COMMON = { tags: ['Control'] as ApiTag[] };
const CHANGE = {
  ...COMMON,
  method: 'post',
  responses: { 200: dataOf(TakeoverSchema, 'The takeover'), ...errorResponses(400, 404, 409, 413, 415, 503) },
} as const;

export function takeoverRoutes({ sessions }: ApiParts) {
  return [
    defineRoute(
      {
        ...CHANGE,
        path: '/v1/sessions/{id}/takeover',
        operationId: 'takeOver',
        summary: 'Take the browser of a session over',
        description:
          'The session is paused after its command under way; from `open` on its browser does what you send. 409 ' +
          'while it waits for an answer, has no browser, or another person has it. After SUREFOOT_TAKEOVER_MS ' +
          'without an act it is handed back.',
        request: {
          params: SessionParams,
          body: jsonBody(TakeOverRequestSchema, { takeoverId: TAKEOVER_ID, by: 'ada' }),
        },
      },
      async (c) => respond(c, await sessions.takeOver(c.req.valid('param').id, c.req.valid('json')), 200),
    ),
    defineRoute(
      {
        ...COMMON,
        method: 'get',
        path: '/v1/sessions/{id}/takeover',
        operationId: 'showTakeover',
        summary: 'The newest takeover of a session',
        request: { params: SessionParams },
        responses: { 200: dataOf(TakeoverSchema, 'The takeover'), ...errorResponses(404, 503) },
      },
      async (c) => respond(c, await sessions.takeover(c.req.valid('param').id), 200),
    ),
    defineRoute(
      {
        ...CHANGE,
        path: '/v1/sessions/{id}/takeover/input',
        operationId: 'takeoverInput',
        summary: 'Do something at the browser of a session that you have taken over',
        description:
          'Each act is done once, and is a command in the log, with `details.by: "person"`; what is typed into a ' +
          'password field is masked. What the page then asks (a list, files, a dialog) is in ' +
          '`asks` of `GET …/takeover`; `choose`, `files` and `dialog` answer it.',
        request: {
          params: SessionParams,
          body: jsonBody(TakeoverInputSchema, {
            takeoverId: TAKEOVER_ID,
            acts: [
              { number: 1, act: { kind: 'click', x: 200, y: 120 } },
              { number: 2, act: { kind: 'text', text: 'blue' } },
            ],
          }),
        },
      },
      async (c) => respond(c, await sessions.takeoverInput(c.req.valid('param').id, c.req.valid('json')), 200),
    ),
    defineRoute(
      {
        ...CHANGE,
        path: '/v1/sessions/{id}/hand-back',
        operationId: 'handBack',
        summary: 'Hand the browser of a session back',
        description:
          'What was sent before is done first. The model gets a new snapshot and an account of what was done.',
        request: { params: SessionParams, body: jsonBody(HandBackRequestSchema, { takeoverId: TAKEOVER_ID }) },
      },
      async (c) => respond(c, await sessions.handBack(c.req.valid('param').id, c.req.valid('json')), 200),
    ),
  ] as const;
}
