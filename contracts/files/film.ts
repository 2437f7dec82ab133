import { z } from 'zod';

/** Least time between two frames of a recording. */
export const FRAME_GAP_MS = 500;
/** A recording with so many bytes of frames gets no more of them. */
export const MAX_FILM_BYTES = 32 * 1024 * 1024;
/** What stands still for longer, such as a session that waits for a model or a person, is shortened to this in a film. */
const LONGEST_STILL_MS = 3000;
/** So long the last frame is shown. */
const LAST_FRAME_MS = 1000;
/** A frame of a command is taken once the command has ended, but its record may have a later time. */
const RECORDED_LATE_MS = 250;

/** When the frames of a film were taken. */
export const FilmSchema = z.object({
  startedAt: z.coerce.date().meta({ description: 'Time of the first frame' }),
  frames: z.array(z.int()).min(1).meta({ description: 'When each was taken, in milliseconds since the first' }),
});
export type Film = z.infer<typeof FilmSchema>;
/** The same as it comes out of JSON. */
export type ReadFilm = Omit<Film, 'startedAt'> & { startedAt: Date | string };

/** Where in the film each frame begins, in milliseconds, and how long the film is. */
export function filmTimes({ frames }: Pick<Film, 'frames'>): { starts: number[]; durationMs: number } {
  const starts: number[] = [];
  frames.forEach((at, index) => {
    const stillMs = Math.min(at - (frames[index - 1] ?? at), LONGEST_STILL_MS);
    starts.push((starts.at(-1) ?? 0) + stillMs);
  });
  return { starts, durationMs: starts.at(-1)! + LAST_FRAME_MS };
}

/** Where in the film the frame begins that shows the page after what has ended at this time, in milliseconds. */
export function filmMoment(film: ReadFilm, endedAt: Date): number {
  const atMs = endedAt.getTime() - new Date(film.startedAt).getTime();
  const next = film.frames.findIndex((frame) => frame >= atMs - RECORDED_LATE_MS);
  // No later one is near: the page still looks as it did, so its frame is the one before.
  const isNear = next >= 0 && film.frames[next]! <= atMs + FRAME_GAP_MS + RECORDED_LATE_MS;
  const index = isNear ? next : (next < 0 ? film.frames.length : next) - 1;
  return filmTimes(film).starts[Math.max(0, index)]!;
}
