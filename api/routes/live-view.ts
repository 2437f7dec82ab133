import { z } from 'zod';
import { LiveViewSchema } from '../../contracts/browsers/live-frame';
import { createConnectionLimit } from '../http/connection-limit';
import { DEFAULT_STREAM_LIMITS, type ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { dataOf, errorResponses } from '../openapi/responses';
import { SessionParams } from '../openapi/schemas';
import { enterViewer } from '../streams/viewers';

export function liveViewRoutes({ sessions, streams, closing }: ApiParts) {
  const limits = { ...DEFAULT_STREAM_LIMITS, ...streams };
  const viewers = createConnectionLimit({
    max: limits.maxViewers,
    maxPerAddress: limits.maxViewersPerAddress,
    idleMs: limits.idleMs,
  });
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/live',
        operationId: 'showLiveView',
        tags: ['Results'],
        summary: 'The page of a running session as it is now',
        description:
          'Waits up to five seconds for a frame after the one that was shown last. Secrets are masked as in screenshots; in a session ' +
          'with secrets there are frames only between its batches of commands. `unchanged`: the page looks as it did, or can not be ' +
          'shown; `unseenForMs` is how long ago a worker has looked. `no-browser`: the session has none now. 409 once it has ended.',
        request: {
          params: SessionParams,
          query: z.object({
            after: z.coerce
              .number()
              .int()
              .min(0)
              .default(0)
              .meta({ description: 'Number of the frame that was shown last' }),
          }),
        },
        responses: {
          200: dataOf(LiveViewSchema, 'Another frame, or what is known of the page'),
          ...errorResponses(400, 404, 409, 503),
        },
      },
      async (c) => {
        const viewer = enterViewer(c, viewers, limits);
        const gone = [c.req.raw.signal, viewer.ended, ...(closing === undefined ? [] : [closing])];
        c.header('Cache-Control', 'no-store');
        c.header('Cross-Origin-Resource-Policy', 'same-origin');
        try {
          const { id } = c.req.valid('param');
          return respond(c, await sessions.liveView(id, c.req.valid('query').after, AbortSignal.any(gone)), 200);
        } finally {
          viewer.place.leave();
        }
      },
    ),
  ] as const;
}
