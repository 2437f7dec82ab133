import { filmTimes, type Film } from '../../contracts/files/film';
import type { SessionFile } from '../../contracts/files/file';
import { framesOf, toWebm } from '../../store/artifacts/webm';
import type { Store } from '../../store/store';
import { openFile } from '../files/session-files';

/** The recording of a session, to be made as small as a report has room for. */
export interface StoredFilm {
  fileId: string;
  film: Film;
  images: readonly Buffer[];
}

/** A recording as a report has it. */
export interface ReportFilm {
  /** A `data:` address. */
  address: string;
  film: Film;
}

/** Reads the recording; undefined where there is none, or where retention has removed it meanwhile. */
export async function readFilm(
  store: Store,
  sessionId: string,
  files: readonly SessionFile[],
): Promise<StoredFilm | undefined> {
  const stored = files.find(({ film }) => film !== undefined);
  if (stored?.film === undefined) return undefined;
  const { fileId, film } = stored;
  const opened = await openFile(store, sessionId, fileId).catch(() => undefined);
  if (opened === undefined) return undefined;
  try {
    return { fileId, film, images: framesOf(await opened.handle.readFile()) };
  } finally {
    await opened.handle.close();
  }
}

/** Fits a recording into so many characters: every second of its frames, or every third, and so on. */
export function fitFilm({ film, images }: StoredFilm, room: number): ReportFilm | undefined {
  // As base64 it is longer by a third.
  const length = (images.reduce((sum, image) => sum + image.length, 0) * 4) / 3;
  const step = Math.ceil(length / room);
  if (!(step <= images.length)) return undefined;
  const kept = images.flatMap((image, index) => (index % step === 0 ? [{ image, at: film.frames[index]! }] : []));
  const thinned = { ...film, frames: kept.map(({ at }) => at) };
  const { starts, durationMs } = filmTimes(thinned);
  const content = toWebm(
    kept.map(({ image }, index) => ({ image, startMs: starts[index]! })),
    durationMs,
  );
  return { address: `data:video/webm;base64,${content.toString('base64')}`, film: thinned };
}
