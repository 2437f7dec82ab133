/** The frames of a recorded session, out of a real Chromium into a real database. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../../store/database/connect';
import { FRAME_GAP_MS, MAX_FILM_BYTES } from '../../../contracts/files/film';
import { SessionStatus } from '../../../contracts/sessions/session';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { darkPixels } from '../../support/film';

let stage: BrowserStage;
let sql: ReturnType<typeof connect>;
beforeAll(async () => {
  stage = await openBrowserStage();
  sql = connect(stage.databaseUrl);
});
afterAll(async () => {
  await sql.end();
  await stage.stop();
});

const recorded = { config: { recording: true } };

async function frames(session: StagedSession): Promise<number[]> {
  const rows = await sql<{ at: Date }[]>`
    select at from recorded_frames where session_id = ${session.sessionId} order by number`;
  return rows.map(({ at }) => at.getTime());
}

/** Ends the session as its workflow does, and resolves to its film. */
async function filmOf(session: StagedSession): Promise<Buffer> {
  await session.release();
  await stage.store.log.append(session.sessionId, [], { patch: { status: SessionStatus.CANCELLED, closed: true } });
  await stage.store.recordings.finish(session.sessionId);
  const [film] = await session.artifacts('recording');
  return film!;
}

const square = (width: number) =>
  stage.page(`/${randomUUID()}`, `<div style="width:${width}px;height:300px;background:black"></div>`);

test('what changes is a frame, at most two a second, and the last picture of the browser is among them', async () => {
  const session = await stage.newSession(recorded);
  for (const width of [100, 200, 300, 400, 500, 600]) await session.open(square(width));
  const other = await stage.newSession();
  const film = await filmOf(session);
  await other.open(square(100));
  const counts = await darkPixels(other.page(), film);
  expect(Math.abs(counts.at(-1)! - 600 * 300)).toBeLessThan(3000);
  const [row] = await stage.store.artifacts.list(session.sessionId, 'recording');
  const times = row!.facts.film!.frames;
  expect(times).toHaveLength(counts.length);
  const gaps = times.slice(1).map((at, index) => at - times[index]!);
  expect(gaps.filter((gap) => gap < FRAME_GAP_MS)).toEqual([]);
  expect(await frames(session)).toEqual([]);
  expect(await frames(other)).toEqual([]);
});

test('a page that stays as it is gets one frame, and a worker that takes over goes on from it', async () => {
  const session = await stage.newSession(recorded);
  await session.open(square(50));
  await eventually('a frame', async () => (await frames(session)).length === 1);
  await session.did([a('WAIT_FOR', { seconds: 1.3 })]);
  await session.did([a('WAIT_FOR', { seconds: 0.1 })], { worker: 'second' });
  await session.did([a('WAIT_FOR', { seconds: 1.3 })], { worker: 'second' });
  expect(await frames(session)).toHaveLength(1);
  const before = await frames(session);
  await session.did([a('RUN_SCRIPT', { script: 'document.body.textContent = "Other"' })], { worker: 'second' });
  await eventually('another frame', async () => (await frames(session)).length === 2);
  expect(await frames(session)).toEqual([...before, expect.any(Number)]);
});

test('a secret that was typed is in no frame, nor where the page repeats it', async () => {
  stage.env['FILM_SECRET'] = 'correct-horse-battery';
  const session = await stage.newSession({ ...recorded, variables: { pin: { env: 'FILM_SECRET' } } });
  const field = '<input id="field" style="border:0;outline:0;font:40px serif;width:900px;caret-color:transparent">';
  const copy = '<script>field.oninput = () => (shown.textContent = field.value)</script>';
  await session.open(
    stage.page(`/${randomUUID()}`, `<body>${field}<h1 id="shown" style="font-size:90px"></h1>${copy}</body>`),
  );
  await eventually('a frame', async () => (await frames(session)).length === 1);
  for (let round = 0; round < 3; round += 1) {
    await session.did([a('INPUT_TEXT', { selector: '#field', text: '${pin}' })]);
    await session.did([a('INPUT_TEXT', { selector: '#field', text: '' })]);
  }
  await session.did([a('INPUT_TEXT', { selector: '#field', text: '${pin}' })]);
  expect(await session.page().textContent('#shown')).toBe('correct-horse-battery');
  const other = await stage.newSession();
  await other.open(square(1));
  const [empty, ...more] = await darkPixels(other.page(), await filmOf(session));
  // The field shows discs in place of its letters; the large copy is not drawn.
  expect(more.length).toBeGreaterThan(0);
  for (const dark of more) expect(dark).toBeLessThan(empty! + 9000);
});

test('a recording that is as large as it may be says once that it ended, and the session goes on', async () => {
  const session = await stage.newSession(recorded);
  await sql`
    insert into recorded_frames (session_id, at, image)
    values (${session.sessionId}, now() - interval '1 minute', ${Buffer.alloc(MAX_FILM_BYTES - 1)})`;
  await session.open(square(10));
  const warnings = async () =>
    (await session.log()).flatMap(({ data }) =>
      data.warning?.message.includes('recording') ? [data.warning.message] : [],
    );
  await eventually('the warning', async () => (await warnings()).length === 1);
  for (const width of [20, 30]) await session.open(square(width));
  await session.did([a('OPEN_PAGE', { url: square(40) })], { worker: 'second' });
  expect(await warnings()).toEqual([
    'The recording ended: it has 32 MB of frames, the most that is kept of a session. The session goes on.',
  ]);
  expect(await frames(session)).toHaveLength(2);
});

test.each(['erased', 'expired'] as const)('nothing of the film of a session that is %s is left', async (how) => {
  const session = await stage.newSession(recorded);
  await session.open(square(100));
  const { sessionId } = session;
  await filmOf(session);
  await sql`insert into recorded_frames (session_id, at, image) values (${sessionId}, now(), '')`;
  const [film] = await stage.store.artifacts.list(sessionId, 'recording');
  const file = join(stage.home, 'artifacts', film!.path);
  expect(existsSync(file)).toBe(true);
  if (how === 'erased') await stage.store.retention.erase(sessionId);
  else await stage.store.retention.expireSessions({ sessionDays: 0 });
  expect([await frames(session), await stage.store.artifacts.list(sessionId, 'recording')]).toEqual([[], []]);
  expect(existsSync(file)).toBe(false);
});
