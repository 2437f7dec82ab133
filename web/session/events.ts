import { useEffect, useState } from 'react';
import { ApiError } from '../../client/http/api-error';
import { followFrames } from '../../client/http/event-client';
import { sleep } from '../../client/http/sleep';
import { client } from '../connection/client';
import { addEvent, emptyShown, type SeenEvent, type Shown } from './lines';

export interface Log {
  shown: Shown;
  /** It is complete: the session has ended, and this is all of its log. */
  isComplete: boolean;
  error: unknown;
}

/** Events that come at once are shown at once. */
const GATHER_MS = 100;
const POLL_S = 20;

/**
 * The log of a session from its first event on, and then live to its end: exact after a reload, sleep and lost
 * connections, since the stream goes on from the last event that was seen.
 */
export function useLog(sessionId: string): Log {
  const [log, setLog] = useState<Log>(() => ({ shown: emptyShown(), isComplete: false, error: null }));
  useEffect(() => {
    const leave = new AbortController();
    let timer: number | undefined;
    const shown = emptyShown();
    const show = (more: Partial<Log> = {}): void => {
      window.clearTimeout(timer);
      timer = undefined;
      if (!leave.signal.aborted) setLog((before) => ({ ...before, shown, ...more }));
    };
    const take = (event: SeenEvent): void => {
      addEvent(shown, event);
      timer ??= window.setTimeout(show, GATHER_MS);
    };
    void follow(sessionId, leave.signal, take).then(
      () => show({ isComplete: true }),
      (error: unknown) => show({ error }),
    );
    return () => {
      leave.abort();
      window.clearTimeout(timer);
    };
  }, [sessionId]);
  return log;
}

async function follow(sessionId: string, signal: AbortSignal, take: (event: SeenEvent) => void): Promise<void> {
  try {
    for await (const { seq, frame } of followFrames(sessionId, 'stream', { api: window.location.origin, signal }))
      take({ ...frame, seq });
  } catch (error) {
    // A session without a stream (`enableStreaming: false`) is read by pages.
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    await poll(sessionId, signal, take);
  }
}

async function poll(sessionId: string, signal: AbortSignal, take: (event: SeenEvent) => void): Promise<void> {
  let after = 0;
  let isEnded = false;
  while (!isEnded && !signal.aborted) {
    try {
      const page = await client.sessionEvents(sessionId, { after, wait: POLL_S, limit: 500 });
      for (const event of (page.data ?? []) as unknown as SeenEvent[]) take(event);
      after = page.nextAfter;
      ({ isEnded } = page);
    } catch (error) {
      if (error instanceof ApiError && !error.retryable) throw error;
      await sleep(2000, signal);
    }
  }
}
