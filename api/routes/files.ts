import { z } from '@hono/zod-openapi';
import { SessionFileSchema, UploadedFileSchema } from '../../contracts/files/file';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { answerFile } from '../http/file-answer';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses } from '../openapi/responses';
import { IdempotencyHeaders, SessionParams } from '../openapi/schemas';
import { idempotencyKeyOf, markReplayed } from '../http/receipt';

const TAGS: ApiTag[] = ['Files'];
const FileParams = z.object({ fileId: z.string().meta({ description: 'Id of the uploaded file' }) });
const BYTES = { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } };

/** Files that sessions bring, and files that are given to them. */
export function fileRoutes({ sessions, uploads }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/files',
        operationId: 'listFiles',
        tags: TAGS,
        summary: 'Downloads of a session, and traces of its failed steps, oldest first',
        request: { params: SessionParams },
        responses: {
          200: dataOf(z.array(SessionFileSchema), 'Name, size, hash and source of each'),
          ...errorResponses(404, 503),
        },
      },
      async (c) => respond(c, await sessions.files(c.req.valid('param').id), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/files/{fileId}',
        operationId: 'showFile',
        tags: TAGS,
        summary: 'One file, whole or the range that is asked for',
        request: {
          params: SessionParams.extend({ fileId: z.string() }),
          headers: z.object({
            range: z.string().optional().meta({ description: 'Such as `bytes=0-1023`', example: 'bytes=0-1023' }),
          }),
        },
        responses: {
          200: { description: 'The file; it never changes under this address', content: BYTES },
          206: { description: 'The range, which `Content-Range` names', content: BYTES },
          304: { description: 'The file is the one that `If-None-Match` names' },
          ...errorResponses(404, 416, 503),
        },
      },
      async (c) => {
        const { id, fileId } = c.req.valid('param');
        return (await answerFile(c, await sessions.openFile(id, fileId))) as never;
      },
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/files',
        operationId: 'uploadFile',
        tags: TAGS,
        summary: 'Give a file that steps and tasks may upload to sites',
        description:
          'A form with one part `file`, as `curl -F file=@invoice.pdf` sends it. A step names the file by the id of ' +
          'the answer: `upload file_6f1c… to "Attachment"`.',
        request: {
          headers: IdempotencyHeaders,
          body: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: z.object({ file: z.instanceof(File).openapi({ type: 'string', format: 'binary' }) }),
              },
            },
          },
        },
        responses: {
          201: dataOf(UploadedFileSchema, 'The file is stored'),
          ...errorResponses(400, 413, 415, 422, 503),
        },
      },
      async (c) => {
        const { file } = c.req.valid('form');
        const content = new Uint8Array(await file.arrayBuffer());
        const given = { name: file.name, mediaType: file.type, content };
        const { file: stored, isReplayed } = await uploads.upload(given, idempotencyKeyOf(c));
        if (isReplayed) markReplayed(c);
        c.header('Location', `/v1/files/${stored.fileId}`);
        return respond(c, stored, 201);
      },
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/files/{fileId}',
        operationId: 'showUploadedFile',
        tags: TAGS,
        summary: 'What is known of an uploaded file',
        request: { params: FileParams },
        responses: { 200: dataOf(UploadedFileSchema, 'Name, size and hash'), ...errorResponses(404, 503) },
      },
      async (c) => respond(c, await uploads.get(c.req.valid('param').fileId), 200),
    ),
    defineRoute(
      {
        method: 'delete',
        path: '/v1/files/{fileId}',
        operationId: 'deleteUploadedFile',
        tags: TAGS,
        summary: 'Delete an uploaded file; a step that still names it fails',
        request: { params: FileParams },
        responses: {
          200: dataOf(z.object({ deleted: z.literal(true) }), 'It is deleted'),
          ...errorResponses(404, 503),
        },
      },
      async (c) => {
        await uploads.remove(c.req.valid('param').fileId);
        return respond(c, { deleted: true as const }, 200);
      },
    ),
  ] as const;
}
