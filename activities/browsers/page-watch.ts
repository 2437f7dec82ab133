import type { BrowserContext, Dialog, Frame, Page, Request } from 'playwright';
import type { PageEvidence } from '../../contracts/commands/evidence';
import { withinMs } from '../../runtime/time-limit';

/** How to answer the next dialog (HANDLE_DIALOG); without it an alert is accepted and a question dismissed. */
export interface DialogAnswer {
  accept: boolean;
  promptText?: string | undefined;
}

const MAX_KEPT = 50;
const NAVIGATION_LIMIT_MS = 10_000;
const QUIET_LIMIT_MS = 1000;
/** Longer than anything may run, and still a time that a timer takes. */
const MAX_TIMER_MS = 2 ** 30;
/** A page whose script never ends gives no answer at all. */
const ANSWER_LIMIT_MS = 3000;

/** Watches all pages of a context: collects evidence, answers dialogs, and knows when nothing is under way any more. */
export class PageWatch {
  private evidence: PageEvidence = emptyEvidence();
  private requestedPages: string[] = [];
  private readonly underWay = new Map<Request, { from: Page; isNavigation: boolean }>();
  private readonly wakers = new Set<() => void>();
  nextDialog: DialogAnswer | undefined;

  constructor(context: BrowserContext) {
    context.on('page', (page) => this.watch(page));
    for (const page of context.pages()) this.watch(page);
  }

  /** Starts a new collection; what was collected before is the evidence of the command before. */
  startCollecting(): void {
    this.evidence = emptyEvidence();
    this.requestedPages = [];
  }

  /** The pages that were asked for since then, redirects among them, whether they came or not. */
  requestedNavigations(): readonly string[] {
    return this.requestedPages;
  }

  collected(): PageEvidence {
    return this.evidence;
  }

  /**
   * Waits until what a command set off has come to rest: navigations to their DOM, other requests for at most a second.
   * A page that never rests is looked at as it is. Resolves to false when there was nothing to wait for.
   */
  async settle(page: Page, signal: AbortSignal): Promise<boolean> {
    // One round trip: the requests that the command's own event handlers started have been reported after it.
    await withinMs(ANSWER_LIMIT_MS, page.evaluate('0')).catch(() => {});
    if (this.underWay.size === 0 && this.evidence.navigations.length === 0) return false;
    await this.until(() => !this.isNavigating(), NAVIGATION_LIMIT_MS, signal);
    await page.waitForLoadState('domcontentloaded', { timeout: NAVIGATION_LIMIT_MS }).catch(() => {});
    await this.until(() => this.underWay.size === 0, QUIET_LIMIT_MS, signal);
    return true;
  }

  /** Waits, until it is told to stop, for the answer to a navigation: no page says anything before it has that. */
  async waitForNavigationResponse(signal: AbortSignal): Promise<void> {
    await this.until(() => !this.isNavigating(), MAX_TIMER_MS, signal);
    signal.throwIfAborted();
  }

  private isNavigating(): boolean {
    return [...this.underWay.values()].some((request) => request.isNavigation);
  }

  private async until(isDone: () => boolean, limitMs: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + limitMs;
    while (!isDone() && !signal.aborted && performance.now() < end) {
      let wake = (): void => {};
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const timer = setTimeout(wake, end - performance.now());
      this.wakers.add(wake);
      signal.addEventListener('abort', wake);
      await woken;
      clearTimeout(timer);
      this.wakers.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }

  private wake(): void {
    for (const waker of this.wakers) waker();
  }

  private watch(page: Page): void {
    page.on('request', (request) => this.onRequest(page, request));
    page.on('requestfinished', (request) => void this.onEnd(request));
    page.on('requestfailed', (request) => void this.onEnd(request));
    page.on('framenavigated', (frame) => this.onNavigated(page, frame));
    page.on('dialog', (dialog) => void this.onDialog(dialog));
    page.on('console', (message) => {
      if (message.type() === 'error') pushBounded(this.evidence.consoleErrors, message.text().slice(0, 500));
    });
    page.on('close', () => this.forget(page));
    page.on('crash', () => this.forget(page));
  }

  private onRequest(page: Page, request: Request): void {
    const isNavigation = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (isNavigation) pushBounded(this.requestedPages, request.url());
    const kind = request.resourceType();
    if (isNavigation || kind === 'fetch' || kind === 'xhr' || kind === 'document')
      this.underWay.set(request, { from: page, isNavigation });
  }

  /** The page is gone: nothing will tell how its requests end. */
  private forget(page: Page): void {
    for (const [request, { from }] of this.underWay) if (from === page) this.underWay.delete(request);
    this.wake();
  }

  private async onEnd(request: Request): Promise<void> {
    const { evidence } = this;
    const isNavigation = this.underWay.get(request)?.isNavigation === true;
    if (isNavigation || request.method() !== 'GET') {
      const answer = await request.response().catch(() => null);
      pushBounded(evidence.requests, {
        method: request.method(),
        url: request.url(),
        ...(answer === null ? {} : { status: answer.status() }),
        ...(request.failure() === null ? {} : { failure: request.failure()!.errorText }),
      });
    }
    this.underWay.delete(request);
    this.wake();
  }

  private onNavigated(page: Page, frame: Frame): void {
    if (frame === page.mainFrame()) pushBounded(this.evidence.navigations, frame.url());
  }

  private async onDialog(dialog: Dialog): Promise<void> {
    const isQuestion = dialog.type() === 'confirm' || dialog.type() === 'prompt';
    const answer = isQuestion ? (this.nextDialog ?? { accept: false }) : { accept: true };
    if (isQuestion) this.nextDialog = undefined;
    pushBounded(this.evidence.dialogs, {
      type: dialog.type(),
      message: dialog.message().slice(0, 500),
      accepted: answer.accept,
    });
    await (answer.accept ? dialog.accept(answer.promptText) : dialog.dismiss()).catch(() => {
      // It closed by itself, or its page did.
    });
  }
}

function emptyEvidence(): PageEvidence {
  return { requests: [], dialogs: [], consoleErrors: [], navigations: [] };
}

function pushBounded<T>(list: T[], item: T): void {
  if (list.length < MAX_KEPT) list.push(item);
}
