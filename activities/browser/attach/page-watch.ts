import type { BrowserContext, Dialog, Frame, Page, Request } from 'playwright';
import type { PageEvidence } from '../../../contracts/commands/evidence';
import { withinMs } from '../../../runtime/time-limit';

/** How to answer the next dialog (HANDLE_DIALOG). Without it an alert is accepted and a question is dismissed. */
export interface DialogAnswer {
  accept: boolean;
  promptText?: string | undefined;
}

const MAX_KEPT = 50;
const NAVIGATION_LIMIT_MS = 10_000;
const QUIET_LIMIT_MS = 1000;
/** Longer than anything may run, and still within what a timer accepts. */
const MAX_TIMER_MS = 2 ** 30;
/** So many requests with even pauses between them, but for one that may be longer on a busy machine, are a poll. */
const BEATS = 5;
const LONGEST_PAUSE_MS = 3000;
const MAX_ASKED = 200;
/** A page whose script never ends does not answer. */
const ANSWER_LIMIT_MS = 3000;

/** When the page asked for something, and after which command. */
interface Asked {
  at: number;
  command: number;
}

interface UnderWay {
  from: Page;
  /** Of the command that was under way when it began, however late its answer comes. */
  evidence: PageEvidence;
  isNavigation: boolean;
  /** Names the frame, the method and the address of a request, whatever its query. */
  poll: string | undefined;
  /** A navigation is; another request is not where no command since `startCollecting` has caused it, or it had its second. */
  isAwaited: boolean;
}

/** Watches all pages of a context: collects evidence, answers dialogs, and waits for requests under way. */
export class PageWatch {
  private evidence: PageEvidence = emptyEvidence();
  private requestedPages: string[] = [];
  private readonly underWay = new Map<Request, UnderWay>();
  private readonly polled = new Set<string>();
  /** Requests that are no navigation, the last few times of each. */
  private readonly asked = new Map<string, Asked[]>();
  private commands = 0;
  private lostRequest = false;
  /** Requests that the page made again and again before the command that is under way now. */
  private regular = new Set<string>();
  private readonly wakers = new Set<() => void>();
  nextDialog: DialogAnswer | undefined;
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
    this.commands += 1;
    this.regular = new Set([...this.asked].flatMap(([poll, times]) => (isRegular(times) ? [poll] : [])));
    this.awaitNoLonger();
  }

  /** The pages requested since then, with redirects, whether they loaded or not. */
  requestedNavigations(): readonly string[] {
    return this.requestedPages;
  }

  /** Whether a request that leads on, or may have changed something, ended since then without an answer. */
  get hasUnansweredRequest(): boolean {
    return this.lostRequest || this.evidence.requests.some(({ status }) => status === undefined);
  }

  /** What may have changed something counts although it has no answer yet: nobody waits for one for long. */
  collected(): PageEvidence {
    const { evidence } = this;
    const unanswered = [...this.underWay].flatMap(([request, { evidence: own, isNavigation, poll }]) =>
      own === evidence && !isNavigation && this.isEvidence(request.method(), poll)
        ? [{ method: request.method(), url: request.url() }]
        : [],
    );
    return { ...evidence, requests: [...evidence.requests, ...unanswered] };
  }

  private isEvidence(method: string, poll: string | undefined): boolean {
    return method !== 'GET' && (poll === undefined || !this.regular.has(poll));
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
    if (this.isQuiet() && this.evidence.navigations.length === 0) return false;
    const end = performance.now() + NAVIGATION_LIMIT_MS;
    do {
      await this.until(() => !this.isNavigating(), NAVIGATION_LIMIT_MS, signal);
      await page.waitForLoadState('domcontentloaded', { timeout: NAVIGATION_LIMIT_MS }).catch(() => {});
      await this.until(() => this.isQuiet() || this.isNavigating(), QUIET_LIMIT_MS, signal);
      // The page that was loaded may itself lead to another.
    } while (this.isNavigating() && !signal.aborted && performance.now() < end);
    for (const { poll } of this.underWay.values()) if (poll?.startsWith('GET ') === true) this.polled.add(poll);
    this.awaitNoLonger();
    return true;
  }

  private awaitNoLonger(): void {
    for (const request of this.underWay.values()) request.isAwaited = request.isNavigation;
  }

  /** True when nothing is under way but what the page asks for again and again, in whichever frame. */
  private isQuiet(): boolean {
    return [...this.underWay.values()].every(
      ({ isAwaited, poll }) => !isAwaited || (poll !== undefined && (this.polled.has(poll) || this.regular.has(poll))),
    );
  }

  /** Waits for the response to a navigation, until the signal aborts: a page answers nothing before that. */
  async waitForNavigationResponse(signal: AbortSignal): Promise<void> {
    await this.until(() => !this.isNavigating(), MAX_TIMER_MS, signal);
    signal.throwIfAborted();
  }

  /** True while a page has no response to a navigation: Chrome holds back what is said to it. */
  isNavigating(): boolean {
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
    page.on('websocket', () => (this.hasAsked = true));
    page.on('requestfinished', (request) => void this.onEnd(request));
    page.on('requestfailed', (request) => void this.onEnd(request));
    page.on('framenavigated', (frame) => this.onNavigated(page, frame));
    page.on('dialog', (dialog) => void this.onDialog(dialog));
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
    const isNavigation = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (isNavigation) pushBounded(this.requestedPages, request.url());
    const kind = request.resourceType();
    if (!isNavigation && kind !== 'fetch' && kind !== 'xhr' && kind !== 'document') return;
    const poll = isNavigation ? undefined : pollOf(request);
    const { evidence } = this;
    this.underWay.set(request, { from: page, evidence, isNavigation, poll, isAwaited: true });
    if (poll !== undefined) this.noteTime(poll);
  }

  private noteTime(poll: string): void {
    const times = this.asked.get(poll) ?? [];
    times.push({ at: performance.now(), command: this.commands });
    if (times.length > BEATS) times.shift();
    this.asked.set(poll, times);
    if (this.asked.size > MAX_ASKED) this.asked.delete(this.asked.keys().next().value!);
  }

  /** The page is gone, so the end of its requests will not be reported. */
  private forget(page: Page): void {
    for (const [request, { from, isNavigation }] of this.underWay) {
      if (from !== page) continue;
      this.underWay.delete(request);
      this.lostRequest ||= isNavigation || request.method() !== 'GET';
    }
    this.wake();
  }

  private async onEnd(request: Request): Promise<void> {
    const { isNavigation = false, poll, evidence: own = this.evidence } = this.underWay.get(request) ?? {};
    if (isNavigation || this.isEvidence(request.method(), poll)) {
      const answer = await request.response().catch(() => null);
      pushBounded((isNavigation ? this.evidence : own).requests, {
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
      // The dialog or its page has closed.
    });
  }
}

/**
 * Names what a frame asks for again and again. The parameters of a GET often count or carry the time; with another body
 * the same address is another question.
 */
function pollOf(request: Request): string | undefined {
  if (request.isNavigationRequest()) return undefined;
  const [method, body] = [request.method(), request.postData() ?? ''];
  return `${method} ${request.frame().url()} ${request.url().split('?')[0]} ${body.slice(0, 1000)}`;
}

/**
 * Whether something was asked for so often, lately, and with so even pauses that a timer of the page asks for it. What was asked
 * for once after each command may be what each of them caused.
 */
function isRegular(times: readonly Asked[]): boolean {
  if (times.length < BEATS) return false;
  const [least, ...longer] = times
    .slice(1)
    .map(({ at }, index) => at - times[index]!.at)
    .toSorted((one, other) => one - other) as [number, ...number[]];
  const [most, longest] = longer.slice(-2) as [number, number];
  const isByItself = times.some(({ command }, index) => command === times[index - 1]?.command);
  const isGoingOn = performance.now() - times.at(-1)!.at <= most * 2 + 100;
  return isByItself && longest <= LONGEST_PAUSE_MS && most <= least * 3 + 100 && isGoingOn;
}

function emptyEvidence(): PageEvidence {
  return { requests: [], dialogs: [], consoleErrors: [], navigations: [] };
}

function pushBounded<T>(list: T[], item: T): void {
  if (list.length < MAX_KEPT) list.push(item);
}
