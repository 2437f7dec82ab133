import { accepts } from 'hono/accepts';
import { z } from 'zod';
import { FORMAT_NAMES, FORMATS } from '../../contracts/events/formats/formats';
import { isOpenFilter, StreamFilterSchema, type StreamFilter } from '../../contracts/events/stream-filter';
import { logCutOff } from '../../service/events/follow-format';
import { assertLogAvailable } from '../../service/rows/session-row';
import { ClientError, type SessionState } from '../../service/port/port';
import { createConnectionLimit } from '../http/connection-limit';
import { DEFAULT_STREAM_LIMITS, type ApiContext, type ApiParts } from '../http/context';
import { compressJson, acceptsGzip } from '../middleware/compression';
import { defineRoute } from '../http/define-route';
import { success } from '../http/envelope';
import { eventPageExample } from '../openapi/examples';
import { invalidRequest, HttpError } from '../http/error-response';
import { errorResponses, jsonOf } from '../openapi/responses';
import { EventPageSchema, SessionParams } from '../openapi/schemas';
import { createEventStream, type StreamParts } from '../streams/event-stream';
import type { StreamSelection } from '../streams/log-reader';
import { createFeeds } from '../streams/feeds';
import { createPageReader } from '../streams/pages';
import { enterViewer, notOpened } from '../streams/viewers';

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

const EventsQuerySchema = z.object({
  after: CursorSchema.meta({ description: 'Only events after this seq' }),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  wait: z.coerce.number().min(0).max(MAX_WAIT_S).default(0).meta({ description: 'Seconds' }),
  types: z
    .string()
    .transform((text) => text.split(','))
    .pipe(StreamFilterSchema.shape.types.unwrap())
    .optional()
    .meta({ description: 'Only events of these types, with commas between', type: 'string' }),
  step: z.coerce.number().pipe(StreamFilterSchema.shape.stepIndex.unwrap()).optional().meta({
    description: 'Only events of this step, counted from 0',
  }),
  since: StreamFilterSchema.shape.since.meta({ description: 'Only events from this time on, ISO-8601' }),
  until: StreamFilterSchema.shape.until.meta({ description: 'Only events up to this time, ISO-8601' }),
  format: z.enum(FORMAT_NAMES).default('stream').meta({
    description: 'The format of the events',
  }),
  actions: z.enum(['all', 's1']).default('all').meta({
    description: '`s1`: actions beyond OPEN_PAGE, CLICK_ELEMENT, INPUT_TEXT, SAVE_VARIABLE, GET_DOM come as text',
  }),
});

type EventsQuery = z.infer<typeof EventsQuerySchema>;

const STREAM_HEADERS = {
  'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

export function eventRoutes({ sessions, logger, streams, closing }: ApiParts) {
  const times = { ...DEFAULT_STREAM_LIMITS, ...streams };
  const never = new AbortController().signal;
  const readPage = createPageReader(sessions);
  const viewers = createConnectionLimit({
    max: times.maxViewers,
    maxPerAddress: times.maxViewersPerAddress,
    idleMs: times.idleMs,
  });
  const parts = {
    sessions,
    feeds: createFeeds(sessions, times.retryMs, logger),
    times,
    logger,
    closing: closing ?? never,
  };

  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/sessions/{id}/events',
        operationId: 'sessionEvents',
        tags: ['Events'],
        summary: 'The event log: a page as JSON, or live as Server-Sent Events',
        description: [
          'With `Accept: text/event-stream` every event after the cursor, then live: `id` is its `seq`, `data` the event as JSON. ' +
            '`Last-Event-ID` resumes without a gap. The last frame is `event: end` with `{seq, status}`; coming back after it is ' +
            'answered with 204. A stream that closes without it means: come back, after `retry`. A reader whose events were removed ' +
            'gets `event: stream-error`, whose `details` name the oldest event that is kept (`firstSeq`) and the cursor to go on from ' +
            '(`nextAfter`); a request with such a cursor, or one beyond the log, gets 410 with the same. A session with ' +
            '`enableStreaming: false` has pages alone (409).',
          'Otherwise a page: `nextAfter` goes on, and `wait` holds the answer until there is an event. All formats ' +
            '(docs/event-formats.md) but `stream` need the log from its first event on and take no filter; a page has their frames ' +
            'as `{seq, type, data, …}`.',
        ].join('\n\n'),
        request: {
          params: SessionParams,
          headers: z.object({ 'last-event-id': CursorSchema.meta({ description: 'Goes before `after`' }) }),
          query: EventsQuerySchema,
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
          ...errorResponses(400, 404, 409, 410, 503),
        },
      },
      async (c) => {
        const query = c.req.valid('query');
        const { after: given = 0, limit, wait } = query;
        const selection = toSelection(query);
        const after = c.req.valid('header')['last-event-id'] ?? given;
        const { id } = c.req.valid('param');
        c.header('Vary', 'Accept, Accept-Encoding');
        if (wantsStream(c)) {
          const state = await stateForStream(parts, id);
          if (!state.hasStream) throw noStream(id);
          if (state.isEnded && after === state.lastSeq) return c.body(null, 204);
          assertLogAvailable(state, after);
          assertWholeLog(state, selection);
          const isCompressed = state.stream.compressionEnabled && acceptsGzip(c);
          const headers = { ...STREAM_HEADERS, ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}) };
          if (c.req.raw.method === 'HEAD') return c.body(null, 200, headers);
          const viewer = enterViewer(c, viewers, times);
          return c.body(createEventStream(parts, { state, after, selection, isCompressed, ...viewer }), 200, headers);
        }
        const state = await sessions.state(id);
        assertLogAvailable(state, after);
        assertWholeLog(state, selection);
        const viewer = wait === 0 ? undefined : enterViewer(c, viewers, times);
        const waiting =
          viewer === undefined
            ? undefined
            : AbortSignal.any([AbortSignal.timeout(wait * 1000), c.req.raw.signal, parts.closing, viewer.ended]);
        const { items, ...place } = await readPage(state, selection, { after, limit, waiting }).finally(() =>
          viewer?.place.leave(),
        );
        c.header('Cache-Control', 'no-store');
        const answer = { ...success(c, items), ...place };
        return compressJson(c, c.json(answer, 200), state.stream.compressionEnabled);
      },
    ),
  ] as const;
}

/** A frame of a format that is a fold may stand for several records, so nothing can be left out of it. */
function toSelection({ format, actions, types, step: stepIndex, since, until }: EventsQuery): StreamSelection {
  const filter: StreamFilter = { types, stepIndex, since, until };
  const isWhole = isOpenFilter(filter) && actions === 'all';
  if (FORMATS[format].isStateless === true || isWhole) return { format, actions, filter };
  const message = `format=${format} has every event: \`types\`, \`step\`, \`since\`, \`until\` and \`actions\` go with format=stream only`;
  throw new HttpError(invalidRequest([{ path: 'format', message }]));
}

/** A format that is a fold needs the beginning of the log; without it the answer is 410, before a stream begins. */
function assertWholeLog({ sessionId, firstSeq }: SessionState, { format }: StreamSelection): void {
  if (FORMATS[format].isStateless !== true && firstSeq > 1) throw logCutOff(sessionId, firstSeq);
}

function wantsStream(c: ApiContext): boolean {
  const supports = [EVENT_STREAM, 'application/json'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === EVENT_STREAM;
}

function noStream(id: string): HttpError {
  const message = `Session ${id} was started with enableStreaming: false and has no stream. Read its events as pages: the same address with Accept: application/json, and ?wait= for new ones.`;
  return new HttpError({ status: 409, code: 'SP001', message, retryable: false });
}

/** Reads the state for a stream. Throws ES001 during an outage. */
async function stateForStream({ sessions }: StreamParts, id: string): Promise<SessionState> {
  try {
    return await sessions.state(id);
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind !== 'unavailable') throw error;
    throw notOpened(`The stream of session ${id} can not be opened. ${error.message}`, error);
  }
}
