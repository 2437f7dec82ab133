import type { ApprovedDeed, DeedReport } from '../../../contracts/browsers/approved-request';
import { isSafe } from '../../../contracts/browsers/safe-methods';
import { frameProblems, judgeRequest, requestOf } from './judge-request';
import type { PausedRequest } from './request-values';

interface Circumstances {
  isNavigation: boolean;
  isOfMainFrame: boolean;
  isRedirect: boolean;
  isHabit: boolean;
}

/** What is held waits no longer than this, whatever becomes of the command: it is none of the deed's. */
const LONGEST_HOLD_MS = 10_000;

/** Decides which requests leave while one approved command runs. */
export class DeedGuard {
  private sent = 0;
  private hasLedOn = false;
  private refused: DeedReport['refused'];
  private overSocket: DeedReport['overSocket'];
  private readonly over = Promise.withResolvers<void>();

  constructor(private readonly deed: ApprovedDeed) {}

  /** Resolves at once, but for what is held until the deed is over. */
  async decide(request: PausedRequest, given: Circumstances): Promise<'continue' | 'fail'> {
    if (given.isRedirect || !this.mayChange(request, given)) return 'continue';
    const verdict = judgeRequest(this.deed, request, { ...given, sent: this.sent, hasLedOn: this.hasLedOn });
    if (verdict.kind === 'let') {
      this.sent += 1;
      this.hasLedOn ||= given.isNavigation;
    }
    if (verdict.kind === 'hold') {
      const timer = setTimeout(this.over.resolve, LONGEST_HOLD_MS);
      await this.over.promise;
      clearTimeout(timer);
    }
    if (verdict.kind !== 'refuse') return 'continue';
    this.refused ??= { request: requestOf(request), reasons: verdict.reasons };
    return 'fail';
  }

  /** Of a WebSocket: it has left, so that only its command can be said to have done something else. */
  noteFrame(frame: PausedRequest, isHabit: boolean): void {
    const reasons = frameProblems(this.deed, frame, isHabit);
    if (reasons.length > 0) this.overSocket ??= { request: requestOf(frame), reasons };
  }

  /** Lets go what was held, and says what became of the deed. */
  end(): DeedReport {
    this.over.resolve();
    const { deed, sent, refused, overSocket } = this;
    return {
      commandId: deed.commandId,
      sent,
      ...(refused === undefined ? {} : { refused }),
      ...(overSocket === undefined ? {} : { overSocket }),
    };
  }

  /** A link or a form with GET leads to an address that was approved; any other GET is a read. */
  private mayChange({ method, url }: PausedRequest, { isNavigation, isOfMainFrame }: Circumstances): boolean {
    if (!isSafe(method)) return true;
    const { submits } = this.deed;
    if (!isNavigation || submits === undefined || method !== 'GET') return false;
    const [to, approved] = [new URL(url), new URL(submits.url)];
    const isThere = to.origin === approved.origin && to.pathname === approved.pathname;
    // A form that was to be sent with its body goes to the same address with its values in it.
    return isOfMainFrame && (submits.method === 'GET' ? this.sent === 0 : isThere && to.search !== approved.search);
  }
}
