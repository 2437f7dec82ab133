import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ScreenshotInfo } from '../../contracts/sessions/resources';
import type { StepResult } from '../../contracts/steps/step-result';
import { toThumbnail } from '../sessions/thumbnail';
import { fitFilm, type ReportFilm, type StoredFilm } from './report-film';

/** What of a session's recording, pictures and DOMs a report has room for, and how many are left out. */
export interface ReportAttachments {
  film: ReportFilm | undefined;
  framesLeftOut: number;
  /** `data:` addresses by screenshot id. */
  pictures: ReadonlyMap<string, string>;
  picturesLeftOut: number;
  /** By command id. */
  doms: ReadonlyMap<string, string>;
  domsLeftOut: number;
}

interface AttachmentSource {
  screenshots: readonly ScreenshotInfo[];
  /** With their DOMs. */
  stepResults: readonly StepResult[];
  /** The pictures that people were shown when they were asked. */
  asked: readonly string[];
  stored: StoredFilm | undefined;
  readPicture: (screenshotId: string) => Promise<Buffer | undefined>;
  /** Addresses of pictures that were scaled before. */
  scaled: Map<string, string>;
}

/** Of the recording and the pictures, and of the recording alone. */
const PICTURE_BYTES = 3_000_000;
const FILM_BYTES = 1_500_000;
const DOM_CHARACTERS = 900_000;
const LONGEST_DOM = 60_000;
/** Scaling one costs some 100 ms of the process. */
const MOST_PICTURES = 60;
/** A smaller picture is taken as it is. */
const SMALL_BYTES = 60_000;
const WIDTH = 720;

/** Picks pictures and DOMs, those first that explain the most. `share` is the part of the room that is used. */
export async function pickAttachments(source: AttachmentSource, share: number): Promise<ReportAttachments> {
  const pictures = new Map<string, string>();
  const wanted = picturesByWeight(source);
  const film = source.stored && fitFilm(source.stored, FILM_BYTES * share);
  let left = PICTURE_BYTES * share - (film?.address.length ?? 0);
  for (const id of wanted.slice(0, MOST_PICTURES)) {
    const address = await addressOf(source, id);
    if (address === undefined) continue;
    if (address.length > left) continue;
    left -= address.length;
    pictures.set(id, address);
  }
  const doms = pickDoms(source.stepResults, DOM_CHARACTERS * share);
  const domCount = source.stepResults.flatMap(({ commandResults }) => commandResults).filter(hasDom).length;
  return {
    film,
    framesLeftOut: (source.stored?.film.frames.length ?? 0) - (film?.film.frames.length ?? 0),
    pictures,
    picturesLeftOut: wanted.length - pictures.size,
    doms,
    domsLeftOut: domCount - doms.size,
  };
}

async function addressOf({ readPicture, scaled }: AttachmentSource, id: string): Promise<string | undefined> {
  const known = scaled.get(id);
  if (known !== undefined) return known;
  const png = await readPicture(id);
  if (png === undefined) return undefined;
  // The process answers others between two pictures.
  await nextTurn();
  const small = png.length <= SMALL_BYTES ? png : toThumbnail(png, WIDTH);
  const address = `data:image/png;base64,${small.toString('base64')}`;
  scaled.set(id, address);
  return address;
}

/** Those that have a place in the report: ends of steps, what people decided on, failures, then other commands. */
function picturesByWeight({ screenshots, stepResults, asked }: AttachmentSource): string[] {
  const commands = stepResults.flatMap(({ commandResults }) => commandResults);
  const ends = stepResults.map(({ finalPageState }) => finalPageState.screenshotId);
  const failed = commands.filter(({ success }) => !success).map(({ screenshotId }) => screenshotId);
  const known = new Set(screenshots.map(({ id }) => id));
  const shown = commands.map(({ screenshotId }) => screenshotId);
  return [...new Set([...ends, ...asked, ...failed, ...shown])].filter((id) => known.has(id));
}

type Result = StepResult['commandResults'][number];

function hasDom({ dom, metadata }: Result): boolean {
  return dom !== '' || metadata?.['domTruncated'] === true;
}

function pickDoms(stepResults: readonly StepResult[], room: number): Map<string, string> {
  const commands = stepResults.flatMap(({ commandResults }) => commandResults).filter(({ dom }) => dom !== '');
  const lastOnes = new Set(stepResults.flatMap(({ commandResults }) => commandResults.at(-1)?.commandId ?? []));
  const weight = ({ success, commandId }: Result): number => (success ? (lastOnes.has(commandId) ? 1 : 2) : 0);
  const doms = new Map<string, string>();
  let left = room;
  for (const { commandId, dom } of commands.toSorted((one, other) => weight(one) - weight(other))) {
    const shown =
      dom.length > LONGEST_DOM ? `${dom.slice(0, LONGEST_DOM)}\n… (${dom.length - LONGEST_DOM} more characters)` : dom;
    if (shown.length > left) continue;
    left -= shown.length;
    doms.set(commandId, shown);
  }
  return doms;
}
