import type { LiveFrame } from '../../contracts/browsers/live-frame';
import type { Sql } from '../database/connect';
import { createNotifier, type Notifier } from '../database/notifier';

/** So long after somebody has asked last a session counts as looked at. */
const WANTED_MS = 5000;
/** Nobody was shown a frame that was seen so long before. */
const FRESH_MS = 3000;

/** Frames on their way from the worker that has a browser to those who look at it. */
export interface LiveFrames {
  /** Says that somebody looks; a worker that has the browser is notified. */
  want(sessionId: string): Promise<void>;
  isWanted(sessionId: string): Promise<boolean>;
  /** Shows this frame from now on; without one the page is as it was. */
  show(sessionId: string, frame?: Omit<LiveFrame, 'number' | 'image'> & { jpeg: Buffer }): Promise<void>;
  /** The newest frame that was just seen, if its number is higher than `after`. */
  newer(sessionId: string, after: number): Promise<LiveFrame | undefined>;
  /** Milliseconds since a worker saw the page; null when none has since somebody looks. */
  unseenForMs(sessionId: string): Promise<number | null>;
  /** Deletes frames that nobody wants any more; resolves to how many. */
  expire(): Promise<number>;
  /** Of sessions that somebody looks at. */
  wanted: Notifier;
}

export function createLiveFrames(sql: Sql, openClient: () => Sql): LiveFrames {
  const wanted = createNotifier(sql, openClient, 'surefoot_frames');
  const ms = (count: number) => sql`${count} * interval '1 millisecond'`;
  return {
    wanted,
    async want(sessionId) {
      await sql`
        insert into live_frames (session_id) values (${sessionId})
        on conflict (session_id) do update set wanted_at = clock_timestamp()`;
      await wanted.notify(sessionId);
    },
    async isWanted(sessionId) {
      const rows = await sql`
        select from live_frames where session_id = ${sessionId} and wanted_at > clock_timestamp() - ${ms(WANTED_MS)}`;
      return rows.length > 0;
    },
    async show(sessionId, frame) {
      if (frame === undefined) {
        await sql`update live_frames set seen_at = clock_timestamp() where session_id = ${sessionId}`;
        return;
      }
      const { jpeg, ...facts } = frame;
      // By the time, so that numbers go on rising after the row was deleted.
      await sql`
        update live_frames set seen_at = clock_timestamp(), image = ${jpeg}, facts = ${sql.json(facts)},
          number = greatest(coalesce(number, 0) + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
        where session_id = ${sessionId}`;
    },
    async newer(sessionId, after) {
      const [row] = await sql<{ number: number; image: Buffer; facts: Omit<LiveFrame, 'number' | 'image'> }[]>`
        select number, image, facts from live_frames
        where session_id = ${sessionId} and number > ${after} and seen_at > clock_timestamp() - ${ms(FRESH_MS)}`;
      return row && { ...row.facts, number: Number(row.number), image: row.image.toString('base64') };
    },
    async unseenForMs(sessionId) {
      const [row] = await sql<{ unseenForMs: number | null }[]>`
        select (extract(epoch from clock_timestamp() - seen_at) * 1000)::float8 as unseen_for_ms
        from live_frames where session_id = ${sessionId}`;
      return row?.unseenForMs ?? null;
    },
    async expire() {
      const gone = await sql`delete from live_frames where wanted_at < clock_timestamp() - ${ms(WANTED_MS)}`;
      return gone.count;
    },
  };
}
