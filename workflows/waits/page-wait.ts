import { CancellationScope, sleep } from '@temporalio/workflow';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { PageWait } from '../../contracts/sessions/page-wait';
import type { SiteFinding } from '../../contracts/sessions/site-check';
import type { SessionBrowser } from '../browsers/session-browser';
import type { RunningSession } from '../state/session-state';
import type { Pause } from './pause';

/** How far a wait on a page has come, as one run of the workflow hands it to the next. */
export interface PageWaitProgress {
  /** Active time of the session at which its step began. */
  startedAtMs: number;
  endsAtMs: number;
  looks: number;
  nextLookAtMs: number;
  /** The address that is opened again; undefined before the first look, and where it has a secret in it. */
  address?: string | undefined;
  /** Number of the next call of a model: the steps of a login make some. */
  turn: number;
}

/** The wait of the current step on its page: between two looks it keeps a timer, and no browser. */
export class PageWaits {
  constructor(
    private readonly session: RunningSession,
    private readonly browser: SessionBrowser,
    private readonly pause: Pause,
    private current?: PageWaitProgress,
  ) {}

  /** Undefined while no step waits on its page. */
  get progress(): PageWaitProgress | undefined {
    return this.current;
  }

  /** Goes on with the wait that an earlier run of the workflow has begun, or begins it. */
  begin({ atMostMs }: PageWait, startedAtMs: number): PageWaitProgress {
    const now = Date.now();
    return (this.current ??= { startedAtMs, endsAtMs: now + atMostMs, looks: 0, turn: 0, nextLookAtMs: now });
  }

  end(): void {
    if (this.current === undefined) return;
    this.current = undefined;
    this.session.outbox.patchRow({ pageWait: null });
    this.session.details.setWait('page', undefined);
  }

  /** Notes a look that has not found it, and when the next one is due. */
  missed(wait: PageWait, waitsFor: string, { seen, url, screenshotId }: SiteFinding): void {
    const { session } = this;
    const progress = this.current!;
    progress.looks += 1;
    progress.nextLookAtMs = Math.min(Date.now() + wait.everyMs, progress.endsAtMs);
    const [nextLookAt, endsAt] = [progress.nextLookAtMs, progress.endsAtMs].map((ms) => new Date(ms).toISOString());
    const { looks } = progress;
    session.record(
      'executor-streamer',
      StreamEventType.SESSION_STATUS,
      {
        message: `${seen} The next look is at ${nextLookAt}.`,
        details: {
          status: session.status,
          waitingFor: 'page',
          nextLookAt,
          looks,
          url,
          ...(screenshotId === undefined ? {} : { screenshotId }),
        },
      },
      session.steps.index,
    );
    session.outbox.patchRow({ pageWait: { waitsFor, looks, nextLookAt: nextLookAt!, endsAt: endsAt!, seen } });
    session.details.setWait('page', `waiting for ${waitsFor}; the next look, number ${looks + 1}, is at ${nextLookAt}`);
  }

  /** Waits for the next look. A session that is resumed looks when that is due, and at once where it was due meanwhile. */
  async untilNextLook(): Promise<void> {
    const { session, browser, pause } = this;
    const delayMs = this.current!.nextLookAtMs - Date.now();
    if (delayMs <= 0) return;
    session.showDetails();
    await session.publish('wait before the page is looked at again');
    let isDue = false;
    const timer = new CancellationScope({ cancellable: true });
    const due = timer.run(async () => {
      await sleep(delayMs, { summary: 'look at the page again' });
      isDue = true;
    });
    // It ends with the step, or with this wait.
    due.catch(() => {});
    try {
      while (!isDue) {
        await pause.untilResumed();
        await browser.waitWhile(() => !isDue && !pause.isRequested, { isKnownToLast: true });
      }
    } finally {
      timer.cancel();
    }
  }
}
