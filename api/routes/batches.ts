import { ReadableStream as NodeStream } from 'node:stream/web';
import { z } from '@hono/zod-openapi';
import {
  BatchRequestSchema,
  BatchRowQuerySchema,
  BatchRowSchema,
  BatchSchema,
  RetriedRowsSchema,
} from '../../contracts/batches/batch';
import { RowsFormatSchema, type RowsFormat } from '../../contracts/batches/rows-input';
import { StartRequestSchema } from '../../contracts/sessions/start-request';
import type { Batches } from '../../service/batches/batches';
import type { ApiContext, ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { idempotencyKeyOf } from '../http/receipt';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses, jsonBody } from '../openapi/responses';
import { IdempotencyHeaders } from '../openapi/schemas';

const TAGS: ApiTag[] = ['Batches'];
const query = z.object({
  tenant: StartRequestSchema.shape.tenant.meta({
    description: 'Whose batches; one of another tenant is then unknown',
  }),
});
const params = z.object({
  id: z.string().min(1).meta({ description: 'Id of the batch', example: 'invoices-may' }),
});
const ResultsQuery = query.extend({
  format: RowsFormatSchema.optional().meta({ description: '`csv` where it is left out' }),
});
const MEDIA_TYPES: Record<RowsFormat, string> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' };
const example = {
  id: 'invoices-may',
  rows: { csv: 'invoice,amount\n4711,30\n4712,45' },
  request: {
    steps: [
      'Open https://shop.example/invoices/${invoice}',
      { instruction: 'Click "Pay"', once: { key: 'invoice-${invoice}' } },
    ],
  },
};

/** Lists of rows, a session each. */
export function batchRoutes({ batches }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'post',
        path: '/v1/batches',
        operationId: 'startBatch',
        tags: TAGS,
        summary: 'Start a session for each row of a list',
        description:
          'The columns of a row are variables of its session. The request is validated as by `POST /v1/sessions`, ' +
          'with the first row; a row that can not be started is `invalid`, with the reason. A secret comes by `env` ' +
          'alone. The same request under the same id or key is the same batch. More than a megabyte of rows is ' +
          'uploaded first (`POST /v1/files`).',
        request: { headers: IdempotencyHeaders, body: jsonBody(BatchRequestSchema, example) },
        responses: {
          201: dataOf(BatchSchema, 'The batch'),
          ...errorResponses(400, 403, 404, 409, 413, 415, 422, 503),
        },
      },
      async (c) => respond(c, await batches.start(c.req.valid('json'), idempotencyKeyOf(c)), 201),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/batches',
        operationId: 'listBatches',
        tags: TAGS,
        summary: 'The newest batches of all tenants, or of one',
        request: { query },
        responses: { 200: dataOf(z.array(BatchSchema), 'The batches'), ...errorResponses(400, 503) },
      },
      async (c) => respond(c, await batches.list(c.req.valid('query').tenant), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/batches/{id}',
        operationId: 'showBatch',
        tags: TAGS,
        summary: 'How far a batch is',
        request: { params, query },
        responses: { 200: dataOf(BatchSchema, 'The batch'), ...errorResponses(400, 404, 503) },
      },
      async (c) => respond(c, await batches.get({ ...c.req.valid('param'), ...c.req.valid('query') }), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/batches/{id}/rows',
        operationId: 'listBatchRows',
        tags: TAGS,
        summary: 'Rows with what came of each so far, in pages',
        request: { params, query: query.extend(BatchRowQuerySchema.shape) },
        responses: {
          200: dataOf(z.array(BatchRowSchema), 'The rows, in the order of the list'),
          ...errorResponses(400, 404, 503),
        },
      },
      async (c) => {
        const { tenant, ...rows } = c.req.valid('query');
        return respond(c, await batches.rows({ ...c.req.valid('param'), tenant }, rows), 200);
      },
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/batches/{id}/results',
        operationId: 'showBatchResults',
        tags: TAGS,
        summary: 'The rows that have ended so far, as one CSV or JSON lines',
        request: { params, query: ResultsQuery },
        responses: {
          200: {
            description: 'A row a line; a result is JSON in a CSV too',
            content: { 'text/csv': { schema: z.string() }, 'application/jsonl': { schema: z.string() } },
          },
          ...errorResponses(400, 404, 503),
        },
      },
      async (c) => {
        const { tenant, format = 'csv' } = c.req.valid('query');
        const pages = await batches.results({ ...c.req.valid('param'), tenant }, format);
        const headers = { 'Content-Type': MEDIA_TYPES[format] };
        return c.body(encoded(pages), 200, headers) as never;
      },
    ),
    changing(batches, {
      verb: 'pause',
      operationId: 'pauseBatch',
      summary: 'Have it start no further row; open sessions go on',
    }),
    changing(batches, { verb: 'resume', operationId: 'resumeBatch', summary: 'Have it start rows again' }),
    changing(batches, {
      verb: 'cancel',
      operationId: 'cancelBatch',
      summary: 'Cancel its open sessions, and start no further row',
    }),
    defineRoute(
      {
        method: 'post',
        path: '/v1/batches/{id}/retry',
        operationId: 'retryBatch',
        tags: TAGS,
        summary: 'Run the rows again that have failed or were cancelled',
        description: 'Each as another session.',
        request: { params, query },
        responses: {
          202: dataOf(RetriedRowsSchema, 'So many rows wait again'),
          ...errorResponses(400, 404, 409, 503),
        },
      },
      async (c) => respond(c, await batches.retry({ ...c.req.valid('param'), ...c.req.valid('query') }), 202),
    ),
  ] as const;
}

function changing<Verb extends 'pause' | 'resume' | 'cancel', Id extends string>(
  batches: Batches,
  { verb, operationId, summary }: { verb: Verb; operationId: Id; summary: string },
) {
  return defineRoute(
    {
      method: 'post',
      path: `/v1/batches/{id}/${verb}` as const,
      operationId,
      tags: TAGS,
      summary,
      request: { params, query },
      responses: { 202: dataOf(BatchSchema, 'The batch'), ...errorResponses(400, 404, 409, 503) },
    },
    async (c) =>
      respond(c as ApiContext, await batches[verb]({ ...c.req.valid('param'), ...c.req.valid('query') }), 202) as never,
  );
}

function encoded(pages: AsyncIterable<string>): ReadableStream {
  return NodeStream.from(pages).pipeThrough(new TextEncoderStream() as never) as unknown as ReadableStream;
}
