import { useEffect, useState } from 'react';
import type { LiveFrame } from '../../contracts/browsers/live-frame';
import { ApiError } from '../../client/http/api-error';
import { client } from '../connection/client';

/** The newest frame of a page, and why there is none, or no newer one. */
export interface Live {
  frame?: LiveFrame | undefined;
  note?: string | undefined;
  error?: unknown;
}

const AGAIN_AFTER_MS = 1000;
/** A worker that is attached looks more often. */
const LONG_UNSEEN_MS = 4000;
const NOT_NOW =
  'The picture is not of this moment: no worker has looked at the page just now, or the session has secrets and its commands run.';

/**
 * Follows the page of a session while this component is shown and its tab is in front. The next frame is asked for once the
 * last was drawn, so a slow viewer gets fewer.
 */
export function useLive(sessionId: string): Live {
  const [live, setLive] = useState<Live>({ note: 'Waiting for the first picture…' });
  useEffect(() => {
    const end = new AbortController();
    void follow(sessionId, end.signal, setLive);
    return () => end.abort();
  }, [sessionId]);
  return live;
}

async function follow(sessionId: string, end: AbortSignal, show: (set: (live: Live) => Live) => void): Promise<void> {
  let after = 0;
  while (!end.aborted) {
    await untilVisible(end);
    try {
      const view = await client.showLiveView(sessionId, { after });
      if (end.aborted) return;
      if (view.state === 'frame') {
        after = view.frame.number;
        await drawn(view.frame);
        show(() => ({ frame: view.frame }));
      } else if (view.state === 'no-browser') show(() => ({ note: 'The session has no browser now.' }));
      else {
        const isOld = view.unseenForMs === null || view.unseenForMs > LONG_UNSEEN_MS;
        show(({ frame }) => ({ frame, note: isOld ? NOT_NOW : undefined }));
      }
    } catch (error) {
      if (end.aborted) return;
      show(({ frame }) => ({ frame, error }));
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  }
}

export function addressOf({ image }: LiveFrame): string {
  return `data:image/jpeg;base64,${image}`;
}

async function drawn(frame: LiveFrame): Promise<void> {
  const image = new Image();
  image.src = addressOf(frame);
  await image.decode();
}

async function untilVisible(end: AbortSignal): Promise<void> {
  while (document.hidden && !end.aborted)
    await new Promise((resolve) => {
      document.addEventListener('visibilitychange', resolve, { once: true });
      end.addEventListener('abort', resolve, { once: true });
    });
}
