import { EXIT_OF_END } from '../../../cli/follow/exit-of-end';
import { followSession, type FollowRendering } from '../../../cli/follow/follow-session';
import { findSession } from '../../../cli/context/find-session';
import { aborted } from '../../../cli/terminal/interrupt';
import { ClientError, type Sessions } from '../../../service/port/port';
import { encodeAll, type EventFormat } from '../../../contracts/events/formats/format';
import { FORMATS, FORMAT_NAMES } from '../../../contracts/events/formats/formats';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { LogRecord } from '../../../contracts/events/log';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { ListedSession } from '../../../contracts/sessions/session-list';
import { EVERYTHING, logOf } from '../../support/format-logs';
import { aRecord, aTerminal, SESSION_ID, STARTED } from '../builders';

const COMPLETED = aRecord({
  type: StreamEventType.WORKFLOW_COMPLETED,
  seq: 2,
  eventId: 'run/2',
  data: { message: 'Done.' },
});

type Follow = (after: number, signal: AbortSignal) => AsyncGenerator<LogRecord[], void>;

/** Sessions of which only what a reader needs is there. */
function readableSessions(parts: { follow?: Follow; status?: SessionStatus; ids?: string[] }): Sessions {
  const { ids = [SESSION_ID], status = SessionStatus.ACTIVE } = parts;
  const reading: Pick<Sessions, 'follow' | 'state' | 'list'> = {
    follow: (_id, after, signal) => parts.follow!(after, signal),
    state: async (name) => {
      if (!ids.includes(name)) throw new ClientError('not-found', 'CM001', `There is no session ${name}.`);
      const stream = { bufferSize: 1, maxHistorySize: 1, compressionEnabled: false };
      return {
        sessionId: name,
        workflowId: name,
        status,
        firstSeq: 1,
        lastSeq: 2,
        isEnded: true,
        isExpired: false,
        stream,
        hasStream: true,
      };
    },
    list: async ({ page, pageSize }) => ({
      sessions: ids.slice((page - 1) * pageSize, page * pageSize).map((sessionId) => ({ sessionId }) as ListedSession),
      total: ids.length,
    }),
  };
  return reading as Sessions;
}

function options(given: Partial<FollowRendering> = {}): FollowRendering {
  return {
    after: 0,
    isDetailed: false,
    interrupt: new AbortController().signal,
    totalSteps: 3,
    ...given,
  };
}

/** A log that has one record and then nothing, until the reader leaves. */
const endless: Follow = async function* (_after, signal) {
  yield [STARTED];
  await aborted(signal);
};

test('a session is followed to its terminal record', async () => {
  const terminal = aTerminal();
  const sessions = readableSessions({
    follow: async function* () {
      yield [STARTED];
      yield [COMPLETED];
    },
  });
  expect(await followSession(sessions, SESSION_ID, terminal, options())).toBe('completed');
  expect(terminal.out).toEqual([
    `▶ Session started: 3 steps, led by rules.  ${SESSION_ID}`,
    '✓ Session completed: Done.  0 ms',
  ]);
});

test.each(FORMAT_NAMES)(
  '--format %s prints a frame per line, with its seq, and from a cursor on only what comes after it',
  async (format) => {
    const log = logOf(EVERYTHING);
    const frames = encodeAll(FORMATS[format] as EventFormat<unknown, object>, log);
    const sessions = readableSessions({
      follow: async function* (after) {
        yield log.filter(({ seq }) => seq > after && seq <= 20);
        yield log.filter(({ seq }) => seq > Math.max(after, 20));
      },
    });
    for (const after of [0, 30]) {
      const terminal = aTerminal();
      expect(await followSession(sessions, SESSION_ID, terminal, options({ format, after }))).toBe('completed');
      const wanted = frames.filter(({ seq }) => seq > after).map(({ seq, frame }) => JSON.stringify({ seq, ...frame }));
      expect(terminal.out).toEqual(wanted);
    }
  },
);

test('--format of a log that was trimmed at its beginning is refused', async () => {
  const sessions = readableSessions({
    follow: async function* () {
      yield [COMPLETED];
    },
  });
  const following = followSession(sessions, SESSION_ID, aTerminal(), options({ format: 'agent' }));
  await expect(following).rejects.toThrow(/events before 2 are gone/);
});

test('--json prints one StreamEvent per line, with its seq', async () => {
  const terminal = aTerminal();
  const sessions = readableSessions({
    follow: async function* () {
      yield [STARTED, COMPLETED];
    },
  });
  await followSession(sessions, SESSION_ID, terminal, options({ format: 'stream' }));
  expect(terminal.out.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ seq: 1, type: 'WORKFLOW_STARTED', id: 'run/1', sessionId: SESSION_ID }),
    expect.objectContaining({ seq: 2, type: 'WORKFLOW_COMPLETED', id: 'run/2' }),
  ]);
});

test('Ctrl-C and --timeout leave the session running, each with its exit code', async () => {
  const interrupt = new AbortController();
  const interrupted = followSession(
    readableSessions({ follow: endless }),
    SESSION_ID,
    aTerminal(),
    options({ interrupt: interrupt.signal }),
  );
  interrupt.abort();
  expect(EXIT_OF_END[await interrupted]).toBe(130);
  const late = followSession(
    readableSessions({ follow: endless }),
    SESSION_ID,
    aTerminal(),
    options({ timeoutMs: 20 }),
  );
  expect(EXIT_OF_END[await late]).toBe(3);
});

test('a reader whose cursor is behind the end learns how the session ended', async () => {
  const nothing: Follow = async function* () {};
  const ended = (status: SessionStatus) =>
    followSession(readableSessions({ follow: nothing, status }), SESSION_ID, aTerminal(), options({ after: 9 }));
  expect(await ended(SessionStatus.COMPLETED)).toBe('completed');
  expect(await ended(SessionStatus.CANCELLED)).toBe('failed');
});

test('a short outage of the database loses no record and repeats none', async () => {
  const cursors: number[] = [];
  const terminal = aTerminal();
  const sessions = readableSessions({
    follow: async function* (after) {
      cursors.push(after);
      if (cursors.length > 1) return yield [COMPLETED];
      yield [STARTED];
      throw new ClientError('unavailable', 'CM002', 'The database does not answer.');
    },
  });
  expect(await followSession(sessions, SESSION_ID, terminal, options())).toBe('completed');
  expect(cursors).toEqual([0, 1]);
  expect(terminal.out).toHaveLength(2);
  expect(terminal.errors).toEqual(['The event log does not answer; trying again.']);
});

test('a session that is not there is refused with the command that lists all', async () => {
  const sessions = readableSessions({ ids: [SESSION_ID, 'my-workflow'] });
  expect((await findSession(sessions, 'my-workflow')).sessionId).toBe('my-workflow');
  await expect(findSession(sessions, 'abcd')).rejects.toThrow(
    'There is no session abcd. `npx surefoot list` lists all sessions.',
  );
});
