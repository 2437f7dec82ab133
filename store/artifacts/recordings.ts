import { createHash } from 'node:crypto';
import { filmTimes, type Film } from '../../contracts/files/film';
import type { Sql } from '../database/connect';
import type { Artifacts } from './artifacts';
import { keyFrameOf, toWebm } from './webm';

const BATCH = 20;

/** Frames of sessions that are recorded. They outlive the worker and the Chrome that they come from. */
export interface Recordings {
  /** What is stored of a film: the bytes of its frames, and the hash of the newest. */
  stored(sessionId: string): Promise<{ bytes: number; newest: string | null }>;
  /** Adds a frame, taken by the holder of this lease; nothing once the session has ended or has a newer lease. */
  add(sessionId: string, epoch: number, frame: { at: Date; image: Buffer }): Promise<void>;
  /** Makes an artifact of the frames of a session that has ended; nothing where there are none. Repeating it is harmless. */
  finish(sessionId: string): Promise<void>;
  /** The same for all that have ended; resolves to how many it has tried, at most a batch. */
  finishEnded(): Promise<number>;
}

interface Frame {
  number: number;
  at: Date;
  image: Buffer;
}

/** A picture in WebP as it is stored, with its hash. */
export function toFrame(webp: Buffer): { image: Buffer; hash: string } {
  const image = keyFrameOf(webp);
  return { image, hash: createHash('sha256').update(image).digest('hex') };
}

export function createRecordings(sql: Sql, artifacts: Artifacts): Recordings {
  async function finish(sessionId: string): Promise<void> {
    const frames = await sql<Frame[]>`
      select number, at, image from recorded_frames join sessions using (session_id)
      where session_id = ${sessionId} and closed order by number`;
    const last = frames.at(-1);
    if (last === undefined) return;
    const film = filmOf(frames);
    const { starts, durationMs } = filmTimes(film);
    // Made twice at once it is the same artifact: the same frames, under the same id.
    await artifacts.save({
      sessionId,
      artifactId: `${sessionId}_recording_${last.number}`,
      kind: 'recording',
      content: toWebm(
        frames.map(({ image }, index) => ({ image, startMs: starts[index]! })),
        durationMs,
      ),
      facts: { fileName: 'recording.webm', film },
    });
    await sql`delete from recorded_frames where session_id = ${sessionId} and number <= ${last.number}`;
  }

  return {
    async stored(sessionId) {
      const [row] = await sql<{ bytes: number; newest: string | null }[]>`
        select coalesce(sum(length(image)), 0)::int as bytes,
          (select encode(sha256(image), 'hex') from recorded_frames where session_id = ${sessionId}
            order by number desc limit 1) as newest
        from recorded_frames where session_id = ${sessionId}`;
      return row!;
    },
    async add(sessionId, epoch, { at, image }) {
      await sql`
        insert into recorded_frames (session_id, at, image)
        select session_id, ${at}, ${image} from sessions
        where session_id = ${sessionId} and not closed and epoch = ${epoch} for key share`;
    },
    finish,
    async finishEnded() {
      const ended = await sql<{ sessionId: string }[]>`
        select session_id from sessions s
        where closed and exists (select from recorded_frames f where f.session_id = s.session_id) limit ${BATCH}`;
      for (const { sessionId } of ended) await finish(sessionId);
      return ended.length;
    },
  };
}

/** Workers may have clocks of their own; a frame never begins before the one that was stored before it. */
function filmOf(frames: readonly Frame[]): Film {
  const startedAt = frames[0]!.at;
  let latest = 0;
  return {
    startedAt,
    frames: frames.map(({ at }) => (latest = Math.max(latest, at.getTime() - startedAt.getTime()))),
  };
}
