import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import type { ArtifactContent } from '../../client/port';
import { ScreenshotInfoSchema } from '../../contracts/sessions/resources';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { dataOf, errorResponses, SessionParams } from '../openapi/schemas';

const listScreenshots = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/screenshots',
  operationId: 'listScreenshots',
  tags: ['Results'],
  summary: 'All screenshots of a session, in the order they were taken',
  request: { params: SessionParams },
  responses: { 200: dataOf(z.array(ScreenshotInfoSchema), 'What is known of each'), ...errorResponses(404, 503) },
});

const AN_IMAGE = {
  200: {
    description: 'The image; it never changes under this address',
    content: { 'image/png': { schema: z.string().meta({ format: 'binary' }) } },
  },
  ...errorResponses(404, 503),
};

const showScreenshot = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/screenshots/{screenshotId}',
  operationId: 'showScreenshot',
  tags: ['Results'],
  summary: 'One screenshot as an image',
  request: { params: SessionParams.extend({ screenshotId: z.string() }) },
  responses: AN_IMAGE,
});

const showThumbnail = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/screenshots/{screenshotId}/thumbnail',
  operationId: 'showThumbnail',
  tags: ['Results'],
  summary: 'One screenshot at a size for lists, 320 pixels wide at most',
  request: { params: SessionParams.extend({ screenshotId: z.string() }) },
  responses: AN_IMAGE,
});

export function addScreenshots(app: ApiApp, { sessions }: ApiParts): void {
  app.openapi(listScreenshots, async (c) => {
    return c.json(success(c, await sessions.screenshots(c.req.valid('param').id)), 200);
  });
  app.openapi(showScreenshot, async (c) => {
    const { id, screenshotId } = c.req.valid('param');
    const image = await sessions.screenshot(id, screenshotId);
    return c.body(new Uint8Array(image.content), 200, headersOf(image, image.sha256));
  });
  app.openapi(showThumbnail, async (c) => {
    const { id, screenshotId } = c.req.valid('param');
    const image = await sessions.thumbnail(id, screenshotId);
    return c.body(new Uint8Array(image.content), 200, headersOf(image, `${image.sha256}-thumbnail`));
  });
}

function headersOf({ mediaType }: Pick<ArtifactContent, 'mediaType'>, tag: string) {
  return {
    'Content-Type': mediaType,
    'Cache-Control': 'private, max-age=31536000, immutable',
    ETag: `"${tag}"`,
  };
}
