import type { ApiTag } from '../http/tags';
import { z } from 'zod';
import type { ArtifactContent } from '../../service/port/port';
import { REPORT_POLICY } from '../../service/report/report-page';
import { CommandResponseSchema } from '../../contracts/commands/commands';
import { SessionResultSchema } from '../../contracts/results/result';
import { ScreenshotInfoSchema, VariableInfoSchema } from '../../contracts/sessions/resources';
import { ModelCallInfoSchema } from '../../contracts/models/usage';
import { AgentLoopResultSchema } from '../../contracts/tasks/agent-loop';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { dataOf, errorResponses } from '../openapi/responses';
import { SessionParams } from '../openapi/schemas';

const GET = { method: 'get', tags: ['Results'] as ApiTag[] } as const;
const IMAGE = {
  ...GET,
  request: { params: SessionParams.extend({ screenshotId: z.string() }) },
  responses: {
    200: {
      description: 'The image; it never changes under this address',
      content: { 'image/png': { schema: z.string().meta({ format: 'binary' }) } },
    },
    ...errorResponses(404, 503),
  },
};

export function resultRoutes({ sessions }: ApiParts) {
  return [
    defineRoute(
      {
        ...GET,
        path: '/v1/sessions/{id}/commands/{commandId}',
        operationId: 'showCommand',
        summary: 'The whole answer of one command, with the DOM it left',
        description: '409 while the command has no outcome yet.',
        request: { params: SessionParams.extend({ commandId: z.string() }) },
        responses: { 200: dataOf(CommandResponseSchema, 'The answer'), ...errorResponses(404, 409, 503) },
      },
      async (c) => {
        const { id, commandId } = c.req.valid('param');
        return respond(c, await sessions.command(id, commandId), 200);
      },
    ),
    defineRoute(
      {
        ...GET,
        path: '/v1/sessions/{id}/result',
        operationId: 'showResult',
        summary: 'The result of a session with its sources, and what is missing',
        description: 'Of the newest step that has one, or of `step` (from 0). 404 where there is none yet.',
        request: {
          params: SessionParams,
          query: z.object({ step: z.coerce.number().int().min(0).optional() }),
        },
        responses: { 200: dataOf(SessionResultSchema, 'The result'), ...errorResponses(400, 404, 503) },
      },
      async (c) => respond(c, await sessions.result(c.req.valid('param').id, c.req.valid('query').step), 200),
    ),
    defineRoute(
      {
        ...GET,
        path: '/v1/sessions/{id}/screenshots',
        operationId: 'listScreenshots',
        summary: 'All screenshots of a session, oldest first',
        request: { params: SessionParams },
        responses: {
          200: dataOf(z.array(ScreenshotInfoSchema), 'What is known of each'),
          ...errorResponses(404, 503),
        },
      },
      async (c) => respond(c, await sessions.screenshots(c.req.valid('param').id), 200),
    ),
    defineRoute(
      {
        ...IMAGE,
        path: '/v1/sessions/{id}/screenshots/{screenshotId}',
        operationId: 'showScreenshot',
        summary: 'One screenshot as an image',
      },
      async (c) => {
        const { id, screenshotId } = c.req.valid('param');
        const image = await sessions.screenshot(id, screenshotId);
        return c.body(new Uint8Array(image.content), 200, headersOf(image, image.sha256));
      },
    ),
    defineRoute(
      {
        ...IMAGE,
        path: '/v1/sessions/{id}/screenshots/{screenshotId}/thumbnail',
        operationId: 'showThumbnail',
        summary: 'One screenshot, 320 pixels wide at most',
      },
      async (c) => {
        const { id, screenshotId } = c.req.valid('param');
        const image = await sessions.thumbnail(id, screenshotId);
        return c.body(new Uint8Array(image.content), 200, headersOf(image, `${image.sha256}-thumbnail`));
      },
    ),
    defineRoute(
      {
        ...GET,
        path: '/v1/sessions/{id}/variables',
        operationId: 'listVariables',
        summary: 'The variables of a session, by name; secrets are masked',
        request: { params: SessionParams },
        responses: {
          200: dataOf(z.array(VariableInfoSchema), 'Given at the start or saved since'),
          ...errorResponses(404, 503),
        },
      },
      async (c) => respond(c, await sessions.variables(c.req.valid('param').id), 200),
    ),
    defineRoute(
      {
        ...GET,
        path: '/v1/sessions/{id}/loop-result',
        operationId: 'showLoopResult',
        summary: 'The result of a task, as runAgentLoop returns it',
        description: 'Of a session with one task, once it has ended: 409 before that.',
        request: { params: SessionParams },
        responses: {
          200: dataOf(AgentLoopResultSchema, 'Status, answer, usage and turns'),
          ...errorResponses(404, 409, 410, 503),
        },
      },
      async (c) => respond(c, await sessions.loopResult(c.req.valid('param').id), 200),
    ),
    defineRoute(
      {
        ...GET,
        path: '/v1/sessions/{id}/report',
        operationId: 'showReport',
        summary: 'One page to share: timeline, reasoning, screenshots, DOMs, cost, approvals',
        description: 'A single HTML file below 5 MB that needs no network and shows no secrets.',
        request: { params: SessionParams },
        responses: {
          200: { description: 'The page', content: { 'text/html': { schema: z.string() } } },
          ...errorResponses(404, 503),
        },
      },
      async (c) => {
        const page = await sessions.report(c.req.valid('param').id);
        return c.body(page, 200, {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': `${REPORT_POLICY}; sandbox`,
          'Cache-Control': 'no-store',
        });
      },
    ),
    defineRoute(
      {
        ...GET,
        path: '/v1/sessions/{id}/model-calls',
        operationId: 'listModelCalls',
        summary: 'What each call of a model used and cost, also those that failed',
        request: { params: SessionParams },
        responses: {
          200: dataOf(z.array(ModelCallInfoSchema), 'The newest 1,000, oldest first'),
          ...errorResponses(404, 503),
        },
      },
      async (c) => respond(c, await sessions.modelCalls(c.req.valid('param').id), 200),
    ),
  ] as const;
}

function headersOf({ mediaType }: Pick<ArtifactContent, 'mediaType'>, tag: string) {
  return {
    'Content-Type': mediaType,
    'Cache-Control': 'private, max-age=31536000, immutable',
    ETag: `"${tag}"`,
  };
}
