import type { BrowserContext, Frame, Page, Request, Response, WebSocket } from 'playwright';
import type { ObservedRequest, PageEvidence } from '../../../contracts/commands/evidence';
import { withinMs } from '../../../runtime/time-limit';
import { emptyEvidence, observedRequest, pushBounded } from './bounded-evidence';
import { PageWaits, pauseInPage } from './page-waits';
import { DialogAnswers } from './dialog-answers';
import { pollOf, Polls } from './polls';

const NAVIGATION_LIMIT_MS = 10_000;
const QUIET_LIMIT_MS = 1000;
/** So long a page gets to have answers that it only reads; what may have changed something gets longer. */
const LOADING_LIMIT_MS = 5000;
const READS_LIMIT_MS = 10_000;
const CHANGES_LIMIT_MS = 20_000;
/** A search as one types waits so long for the next letter. */
const SHORT_TIMER_MS = 600;
/** A body that nobody reads never ends. */
const BODY_LIMIT_MS = 1000;
/** What an answer leads to begins so soon after it. */
const REACTION_MS = 100;
const MAX_TIMER_MS = 2 ** 30;
/** A page whose script never ends does not answer. */
const ANSWER_LIMIT_MS = 3000;

interface UnderWay {
  from: Page;
  isNavigation: boolean;
  /** Names the frame, the method and the address of a request, whatever its query. */
  poll: string | undefined;
  /** A navigation is; another request is not where no command since `startCollecting` has caused it, or it had its second. */
  isAwaited: boolean;
  /** The page asked for it after it was loaded, and may ask for it as long as it is there. */
  isOfLoading: boolean;
  /** It had all the time that a page at work gets. */
  isGivenUp: boolean;
}

/** Watches all pages of a context: collects evidence, answers dialogs, and waits for requests under way. */
export class PageWatch {
  private evidence: PageEvidence = emptyEvidence();
  private requestedPages: string[] = [];
  private readonly underWay = new Map<Request, UnderWay>();
  /** A request that may change something was answered, and the page has had no time to go on from that. */
  private isToReact = false;
  private readonly noted = new WeakMap<Request, ObservedRequest>();
  private readonly polls = new Polls();
  private readonly loads = new WeakMap<Page, number>();
  private lostRequest = false;
  private timerDueAt = Promise.resolve(0);
  private readonly changed = new PageWaits();
  readonly dialogAnswers = new DialogAnswers();
  private givenUp: Page | undefined;
  /** Another worker may have seen what was asked for before. */
  private hasAsked = true;

  constructor(context: BrowserContext) {
    context.on('page', (page) => this.watch(page));
    for (const page of context.pages()) this.watch(page);
  }

  /** Starts the evidence of the next command. */
  startCollecting(): void {
    this.evidence = emptyEvidence();
    this.requestedPages = [];
    this.lostRequest = false;
    this.givenUp = undefined;
    this.polls.beginCommand();
    this.awaitNoLonger();
  }

  /** The pages requested since then, with redirects, whether they loaded or not. */
  requestedNavigations(): readonly string[] {
    return this.requestedPages;
  }

  /** Nothing of this page is waited for during this command: its loading was stopped. */
  giveUp(page: Page): void {
    this.forget(page);
    this.givenUp = page;
  }

  /** Whether a request that leads on, or may have changed something, ended since then without an answer. */
  get hasUnansweredRequest(): boolean {
    const isUnanswered = ({ status, failure }: ObservedRequest): boolean =>
      status === undefined && failure !== undefined;
    return this.lostRequest || this.evidence.requests.some(isUnanswered);
  }

  collected(): PageEvidence {
    return this.evidence;
  }

  /** How often a page, or a frame of it, was loaded anew without sending a form. */
  loadsOf(page: Page): number {
    return this.loads.get(page) ?? 0;
  }

  /** Whether a page has asked for anything since this was read last. */
  takeHasAsked(): boolean {
    const { hasAsked } = this;
    this.hasAsked = false;
    return hasAsked;
  }

  /**
   * Waits for what a command caused: navigations, and those that they lead to, until their DOM is loaded, other requests
   * for at most a second each. Not waited for is what the page asks for again and again: a GET that was not answered in that
   * second, and the next ones of its frame to the same address; and any request that was made in a regular beat before
   * the command, which is no evidence of it either. Resolves to false when there was nothing to wait for. `answered` is
   * anything that the page was asked after the command.
   */
  async settle(page: Page, signal: AbortSignal, answered: Promise<unknown> = page.evaluate('0')): Promise<boolean> {
    // After one round trip the requests of the command's own event handlers have been reported.
    await withinMs(ANSWER_LIMIT_MS, answered).catch(() => {});
    if (this.givenUp === page || (this.isQuiet() && this.evidence.navigations.length === 0)) return false;
    const end = performance.now() + NAVIGATION_LIMIT_MS;
    do {
      await this.changed.until(() => !this.isNavigating(), NAVIGATION_LIMIT_MS, signal);
      await page.waitForLoadState('domcontentloaded', { timeout: NAVIGATION_LIMIT_MS }).catch(() => {});
      await this.changed.until(() => this.isQuiet() || this.isNavigating(), QUIET_LIMIT_MS, signal);
      // The page that was loaded may itself lead to another.
    } while (this.isNavigating() && !signal.aborted && performance.now() < end);
    this.awaitNoLonger();
    return true;
  }

  /**
   * Waits until the pages are at rest: what they have asked for is answered, and so is what that led to. Where nothing is
   * under way, and no change was just answered, it takes no time. Each request is waited for once, so long as a page at work
   * gets. A page that is left or read also has the time of its own timers after the last input; otherwise of short ones.
   */
  async rest(page: Page, signal: AbortSignal, { isLeft = false, atMostMs = Infinity } = {}): Promise<void> {
    const timerMs = Math.min((await this.timerDueAt) - performance.now(), atMostMs);
    if (timerMs > 0 && (isLeft || timerMs < SHORT_TIMER_MS)) {
      await this.changed.until(() => false, timerMs, signal);
      await withinMs(ANSWER_LIMIT_MS, page.evaluate(pauseInPage, REACTION_MS)).catch(() => {});
    }
    const start = performance.now();
    const isOver = (): boolean => performance.now() - start > atMostMs || !this.isAtWork(performance.now() - start);
    const mayReact = (): boolean => this.isToReact && performance.now() - start < READS_LIMIT_MS;
    while ((mayReact() || !isOver()) && !signal.aborted) {
      await this.changed.until(isOver, BODY_LIMIT_MS, signal);
      if (!isOver()) continue;
      // What the timer or the answer leads to is asked for now.
      this.isToReact = false;
      await withinMs(ANSWER_LIMIT_MS, page.evaluate(pauseInPage, REACTION_MS)).catch(() => {});
      if (this.isNavigating()) await this.settle(page, signal);
    }
    if (signal.aborted) return;
    for (const entry of this.underWay.values()) {
      entry.isGivenUp ||= !entry.isNavigation;
      if (entry.poll !== undefined) this.polls.noteUnanswered(entry.poll);
    }
  }

  /** The page does something by then (`performance.now()`), because something was typed into it. */
  expectBy(dueAt: Promise<number>): void {
    this.timerDueAt = Promise.all([this.timerDueAt, dueAt]).then((times) => Math.max(...times));
  }

  /** Whether a request is under way that has been waited for less than its limit. */
  private isAtWork(waitedMs: number): boolean {
    return [...this.underWay].some(
      ([request, { poll, isNavigation, isOfLoading, isGivenUp }]) =>
        !isNavigation &&
        !isGivenUp &&
        !this.polls.has(poll) &&
        waitedMs < (request.method() !== 'GET' ? CHANGES_LIMIT_MS : isOfLoading ? LOADING_LIMIT_MS : READS_LIMIT_MS),
    );
  }

  /** The requests without an answer that may change something: `POST https://…`. */
  changesUnderWay(): string[] {
    const changes = [...this.underWay].filter(
      ([request, { isNavigation, poll }]) => !isNavigation && request.method() !== 'GET' && !this.polls.has(poll),
    );
    return changes.map(([request]) => `${request.method()} ${request.url()}`);
  }

  private awaitNoLonger(): void {
    for (const request of this.underWay.values()) request.isAwaited = request.isNavigation;
  }

  /** True when nothing is under way but what the page asks for again and again, in whichever frame. */
  private isQuiet(): boolean {
    return [...this.underWay.values()].every(({ isAwaited, poll }) => !isAwaited || this.polls.has(poll));
  }

  /** Waits for the response to a navigation, until the signal aborts: a page answers nothing before that. */
  async waitForNavigationResponse(signal: AbortSignal): Promise<void> {
    await this.changed.until(() => !this.isNavigating(), MAX_TIMER_MS, signal);
    signal.throwIfAborted();
  }

  /** True while a page has no response to a navigation: Chrome holds back what is said to it. */
  isNavigating(): boolean {
    return [...this.underWay.values()].some((request) => request.isNavigation);
  }

  private watch(page: Page): void {
    page.on('request', (request) => this.onRequest(page, request));
    page.on('websocket', (socket) => this.watchSocket(socket));
    page.on('response', (response) => this.onResponse(response));
    page.on('requestfinished', (request) => void this.onEnd(request));
    page.on('requestfailed', (request) => void this.onEnd(request));
    page.on('framenavigated', (frame) => this.onNavigated(page, frame));
    page.on('dialog', (dialog) => this.dialogAnswers.meet(dialog, this.evidence.dialogs));
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      // Chrome's own words about a resource leave out which one it is.
      const [text, { url }] = [message.text(), message.location()];
      const said = text.startsWith('Failed to load resource') && url !== '' ? `${text}: ${url}` : text;
      pushBounded(this.evidence.consoleErrors, said.slice(0, 500));
    });
    page.on('close', () => this.forget(page));
    page.on('crash', () => this.forget(page));
  }

  private onRequest(page: Page, request: Request): void {
    this.hasAsked = true;
    if (request.isNavigationRequest() && request.method() === 'GET') this.loads.set(page, this.loadsOf(page) + 1);
    const isNavigation = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (isNavigation) pushBounded(this.requestedPages, request.url());
    const poll = isNavigation ? undefined : pollOf(request);
    const isRead = request.method() === 'GET' && !isNavigation;
    const isAsked = ['fetch', 'xhr', 'eventsource'].includes(request.resourceType());
    if (poll !== undefined) this.polls.note(poll);
    if (this.polls.has(poll)) {
      // It is no effect of a command.
    } else if (!isRead) this.noteRequest(request);
    else if (isAsked && !this.polls.isByItself(poll)) this.noteEffect(`asked for ${request.url()}`);
    const kind = request.resourceType();
    if (!isNavigation && kind !== 'fetch' && kind !== 'xhr' && kind !== 'document') return;
    const isOfLoading = this.evidence.navigations.length > 0;
    this.underWay.set(request, { from: page, isNavigation, poll, isAwaited: true, isOfLoading, isGivenUp: false });
  }

  private noteRequest(request: Request): void {
    const observed = observedRequest(request);
    pushBounded(this.evidence.requests, observed);
    this.noted.set(request, observed);
  }

  private noteEffect(effect: string): void {
    const { effects = [] } = this.evidence;
    if (!effects.includes(effect)) pushBounded(effects, effect);
    this.evidence.effects = effects;
  }

  private watchSocket(socket: WebSocket): void {
    this.hasAsked = true;
    const poll = `socket ${socket.url()}`;
    this.noteEffect(`connected to ${socket.url()}`);
    // cspell:ignore framesent
    socket.on('framesent', () => {
      this.polls.note(poll);
      if (!this.polls.isByItself(poll)) this.noteEffect(`sent a message to ${socket.url()}`);
    });
  }

  private onResponse(response: Response): void {
    const request = response.request();
    const observed = this.noted.get(request);
    if (observed !== undefined) observed.status = response.status();
    if (this.underWay.get(request)?.isNavigation !== false) return;
    // Its body is mostly there at once.
    setTimeout(() => this.end(request), BODY_LIMIT_MS).unref();
  }

  private end(request: Request): void {
    const { isNavigation, poll } = this.underWay.get(request) ?? {};
    if (!this.underWay.delete(request)) return;
    this.isToReact ||= isNavigation === false && request.method() !== 'GET' && !this.polls.has(poll);
    this.changed.wake();
  }

  /** The page is gone, so the end of its requests will not be reported. */
  private forget(page: Page): void {
    for (const [request, { from, isNavigation }] of this.underWay) {
      if (from !== page) continue;
      this.underWay.delete(request);
      this.lostRequest ||= isNavigation || request.method() !== 'GET';
    }
    this.changed.wake();
  }

  private async onEnd(request: Request): Promise<void> {
    const observed = this.noted.get(request);
    if (observed !== undefined) {
      const failure = request.failure();
      if (failure !== null) observed.failure = failure.errorText;
      else observed.status ??= (await request.response().catch(() => null))?.status();
    }
    this.end(request);
  }

  private onNavigated(page: Page, frame: Frame): void {
    if (frame === page.mainFrame()) pushBounded(this.evidence.navigations, frame.url());
  }
}
