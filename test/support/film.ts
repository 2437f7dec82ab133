import type { Page } from 'playwright';
import { framesOf } from '../../store/artifacts/webm';

/** How many pixels of each frame of a film are dark, by a page that decodes them. */
export async function darkPixels(page: Page, webm: Buffer): Promise<number[]> {
  const pictures = framesOf(webm).map((frame) => toWebp(frame).toString('base64'));
  return await page.evaluate(async (all) => {
    const counts: number[] = [];
    for (const data of all) {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/webp' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      counts.push(pixels.filter((value, at) => at % 4 === 0 && value < 100).length);
    }
    return counts;
  }, pictures);
}

function toWebp(frame: Buffer): Buffer {
  const head = Buffer.from(['RIFF????', 'WEBP', 'VP8 ????'].join(''), 'latin1');
  const padding = Buffer.alloc(frame.length % 2);
  head.writeUInt32LE(12 + frame.length + padding.length, 4);
  head.writeUInt32LE(frame.length, 16);
  return Buffer.concat([head, frame, padding]);
}

export interface SeenFilm {
  seconds: number;
  /** What a pixel is at each of the asked moments, as `r,g,b`, each rounded to 0 or 255. */
  colors: string[];
}

/** Plays the film of a `<video>` of the page, and reads a pixel in the middle at some of its moments. */
export async function watchFilm(page: Page, moments: readonly number[]): Promise<SeenFilm> {
  return await page.locator('video').evaluate(async (element, seconds) => {
    const video = element as HTMLVideoElement;
    const until = (name: string) =>
      new Promise<void>((resolve, reject) => {
        video.addEventListener(name, () => resolve(), { once: true });
        video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
      });
    if (video.readyState < HTMLMediaElement.HAVE_METADATA) await until('loadedmetadata');
    const colors: string[] = [];
    for (const moment of seconds) {
      const seeked = until('seeked');
      video.currentTime = moment;
      await seeked;
      const context = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext('2d')!;
      context.drawImage(video, 0, 0);
      const { data } = context.getImageData(video.videoWidth / 2, video.videoHeight / 2, 1, 1);
      colors.push(Array.from(data.slice(0, 3), (value) => (value > 127 ? 255 : 0)).join());
    }
    const restarted = until('seeked');
    video.currentTime = 0;
    await restarted;
    const ended = until('ended');
    video.playbackRate = 8;
    await video.play();
    await ended;
    return { seconds: video.duration, colors };
  }, moments);
}
