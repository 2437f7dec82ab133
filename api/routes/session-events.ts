import { createRoute } from '@hono/zod-openapi';
import { accepts } from 'hono/accepts';
import { z } from 'zod';
import type { LogRecord } from '../../contracts/log';
import { isTerminal } from '../../contracts/log';
import { refuseExpired } from '../../client/session-row';
import { DEFAULT_STREAM_TIMES, type ApiApp, type ApiParts } from '../context';
import { success } from '../envelope';
import { eventPageExample } from '../examples';
import { EventPageSchema, faults, jsonOf, SessionParams } from '../schemas';
import { createEventStream } from '../streams/event-stream';
import { createFeeds } from '../streams/feeds';
import { toSequencedEvent } from '../streams/frames';

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;
const MAX_WAIT_S = 30;
const EVENT_STREAM = 'text/event-stream';

const CursorSchema = z.preprocess(
  (given) => (given === '' ? undefined : given),
  z
    .string()
    .regex(/^\d{1,15}$/, 'expected the seq of an event: a whole number from 0')
    .transform(Number)
    .optional(),
);

const sessionEvents = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/events',
  operationId: 'sessionEvents',
  tags: ['Events'],
  summary: 'The event log: a page as JSON, or live as Server-Sent Events',
  description: [
    'With `Accept: text/event-stream` every event from the cursor on, and then live: `id` is its `seq`, `data` the event ' +
      'as JSON, without an event name. A client that comes back with `Last-Event-ID` loses nothing and gets nothing twice. ' +
      'After the terminal event comes a last frame, `event: end` with `{seq, status}`, and the stream is closed; coming ' +
      'back after that is answered with 204. A stream that closes without `end` means: come back.',
    'Otherwise a page: `after` and `limit` choose it, `nextAfter` goes on, and `wait` holds the answer until there is ' +
      'something to tell, up to so many seconds.',
  ].join('\n\n'),
  request: {
    params: SessionParams,
    headers: z.object({ 'last-event-id': CursorSchema.meta({ description: 'Goes before `after`' }) }),
    query: z.object({
      after: CursorSchema.meta({ description: 'Only events after this seq' }),
      limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
      wait: z.coerce.number().min(0).max(MAX_WAIT_S).default(0).meta({ description: 'Seconds' }),
      actions: z.enum(['all', 's1']).default('all').meta({
        description: '`s1`: actions beyond OPEN_PAGE, CLICK_ELEMENT, INPUT_TEXT, SAVE_VARIABLE, GET_DOM come as text',
      }),
    }),
  },
  responses: {
    200: {
      description: 'A page of events, or the stream of them',
      content: {
        ...jsonOf(EventPageSchema, '', eventPageExample).content,
        [EVENT_STREAM]: {
          schema: z.string(),
          example: 'retry: 2000\n\nid: 1\ndata: {"seq":1,"type":"WORKFLOW_STARTED", …}\n\n',
        },
      },
    },
    204: { description: 'The stream is complete and the cursor is at its end: nothing more will come' },
    ...faults(400, 404, 410, 503),
  },
});

const STREAM_HEADERS = {
  'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

export function addSessionEvents(app: ApiApp, { sessions, logger, streams, closing }: ApiParts): void {
  const times = { ...DEFAULT_STREAM_TIMES, ...streams };
  const never = new AbortController().signal;
  const parts = {
    sessions,
    feeds: createFeeds(sessions, times.retryMs, logger),
    times,
    logger,
    closing: closing ?? never,
  };

  app.openapi(sessionEvents, async (c) => {
    const { after: given = 0, limit, wait, actions } = c.req.valid('query');
    const after = c.req.valid('header')['last-event-id'] ?? given;
    const state = await sessions.state(c.req.valid('param').id);
    const supports = [EVENT_STREAM, 'application/json'];
    c.header('Vary', 'Accept');
    if (accepts(c, { header: 'Accept', supports, default: 'application/json' }) === EVENT_STREAM) {
      if (state.isEnded && after >= state.lastSeq) return c.body(null, 204);
      refuseExpired(state, after);
      return c.body(createEventStream(parts, { state, after, known: actions }), 200, STREAM_HEADERS);
    }
    let records = await sessions.events(state.sessionId, after, limit + 1);
    if (records.length === 0 && wait > 0 && !state.isEnded) {
      const signal = AbortSignal.any([AbortSignal.timeout(wait * 1000), c.req.raw.signal, parts.closing]);
      records = await firstBatch(sessions.follow(state.sessionId, after, signal));
    }
    const page = records.slice(0, limit);
    const last = page.at(-1);
    const events = page.map((record) => toSequencedEvent(record, actions));
    const isEnded = last === undefined ? state.isEnded && after >= state.lastSeq : isTerminal(last.type);
    c.header('Cache-Control', 'no-store');
    return c.json(
      { ...success(c, events), nextAfter: last?.seq ?? after, hasMore: records.length > limit, isEnded },
      200,
    );
  });
}

/** Leaving the loop ends the following too. */
async function firstBatch(batches: AsyncGenerator<LogRecord[], void>): Promise<LogRecord[]> {
  for await (const records of batches) return records;
  return [];
}
