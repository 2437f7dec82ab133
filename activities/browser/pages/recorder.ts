import { FRAME_GAP_MS, MAX_FILM_BYTES } from '../../../contracts/files/film';
import { toFrame } from '../../../store/artifacts/recordings';
import { recordingFullRecord } from '../../recorded/command-records';
import type { SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';
import type { BrowserDeps } from '../attach/browser-deps';
import { takeMasked } from './capture';
import { captureImage } from './screenshots/png';

const FRAME_LIMIT_MS = 5000;
const QUALITY = 50;
/** So soon a frame that a navigation may have swallowed is asked for again: the next one waits for it. */
const RETRY_AFTER_MS = 400;

/** Takes the frames of a session's recording while something acts on its page. */
export interface Recorder {
  /** Takes a frame, unless the last one is too young: then the next one shows what has changed. Never rejects. */
  takeFrame(): Promise<void>;
  /** Takes one more frame a moment later, unless something else acts on the page by then. */
  stop(): void;
}

interface RecorderContext {
  store: BrowserDeps['store'];
  attachment: Attachment;
  sessionId: string;
  runId: string;
  values: SessionValues;
}

/** What is known of the recording of a browser, from its first frame under this attachment on. */
interface Recording {
  stored?: { bytes: number; newest: string | null } | undefined;
  /** The time at which the monotonic clock, which the gaps are counted by, was at `beganMs`. */
  beganAt: Date;
  beganMs: number;
  takenAtMs: number;
  /** The page may look different from the newest frame. */
  isDue: boolean;
  taking?: Promise<void> | undefined;
  writing?: Promise<void> | undefined;
  timer?: NodeJS.Timeout;
  context: RecorderContext;
}

const recordings = new WeakMap<Attachment, Recording>();

/** Starts to record what the page shows. Masking touches the page, so in a session with secrets frames are taken on call alone. */
export function startRecorder(attachments: BrowserDeps['attachments'], context: RecorderContext): Recorder {
  const { attachment, values } = context;
  const earlier = recordings.get(attachment);
  const recording: Recording = earlier ?? {
    beganAt: new Date(),
    beganMs: performance.now(),
    takenAtMs: -FRAME_GAP_MS,
    isDue: true,
    context,
  };
  recording.context = context;
  recordings.set(attachment, recording);
  clearTimeout(recording.timer);
  const mayTouch = (): boolean => !values.hasSecrets && values.pageSearch === undefined;
  const tick = (): void => void (mayTouch() && takeFrame(recording));
  const ticking = setInterval(tick, FRAME_GAP_MS);
  // What the last act did is shown as soon as it may be, before the first tick.
  if (earlier?.isDue) recording.timer = setTimeout(tick, untilNextMs(recording));
  return {
    takeFrame: () => takeFrame(recording),
    stop() {
      clearInterval(ticking);
      clearTimeout(recording.timer);
      recording.isDue = true;
      const take = () => attachments.betweenUses(attachment, () => takeNext(recording));
      recording.timer = setTimeout(() => void take(), untilNextMs(recording)).unref();
    },
  };
}

/** Takes the last frame of a browser that is about to end, and resolves when all that were taken are stored. */
export async function takeLastFrame(attachment: Attachment): Promise<void> {
  const recording = recordings.get(attachment);
  if (recording === undefined) return;
  clearTimeout(recording.timer);
  await takeNext(recording);
  await recording.writing;
}

/** Takes a frame if the page may look different from the newest. One that is too young is shown when its turn has come. */
async function takeNext(recording: Recording): Promise<void> {
  await recording.taking;
  await recording.writing;
  if (recording.isDue) await takeFrame(recording, untilNextMs(recording));
}

/** So long no frame may be taken yet. */
function untilNextMs({ takenAtMs }: Recording): number {
  return Math.max(0, Math.ceil(takenAtMs + FRAME_GAP_MS - performance.now()));
}

async function takeFrame(recording: Recording, laterByMs = 0): Promise<void> {
  recording.isDue = true;
  const isTooYoung = untilNextMs(recording) > laterByMs;
  if (recording.taking !== undefined || recording.writing !== undefined || isTooYoung) return;
  recording.taking = take(recording, laterByMs)
    // A page that navigates, or takes too long, is pictured a moment later.
    .catch(() => void (recording.isDue = true))
    .finally(() => (recording.taking = undefined));
  await recording.taking;
}

async function take(recording: Recording, laterByMs: number): Promise<void> {
  const { store, attachment, sessionId, values } = recording.context;
  const stored = (recording.stored ??= await store.recordings.stored(sessionId));
  recording.isDue = false;
  if (stored.bytes >= MAX_FILM_BYTES) return;
  recording.takenAtMs = performance.now() + laterByMs;
  const at = new Date(recording.beganAt.getTime() + recording.takenAtMs - recording.beganMs);
  const picture = await takeMasked(attachment, values, FRAME_LIMIT_MS, async () => {
    const session = await attachment.cdp(attachment.page);
    return await captureImage(session, { format: 'webp', quality: QUALITY, optimizeForSpeed: true }, RETRY_AFTER_MS);
  });
  const { image, hash } = toFrame(Buffer.from(picture, 'base64'));
  if (hash === stored.newest) return;
  recording.stored = { bytes: stored.bytes + image.length, newest: hash };
  // Nobody waits for it; no other frame is taken meanwhile.
  recording.writing = write(recording, { at, image })
    .catch(() => void (recording.stored = undefined))
    .finally(() => (recording.writing = undefined));
}

async function write({ stored, context }: Recording, frame: { at: Date; image: Buffer }): Promise<void> {
  const { store, attachment, sessionId, runId } = context;
  const { epoch } = attachment;
  await store.recordings.add(sessionId, epoch, frame);
  if (stored !== undefined && stored.bytes >= MAX_FILM_BYTES)
    await store.log.append(sessionId, [recordingFullRecord(sessionId)], { guard: { runId, epoch } });
}
