import { NO_WAY_OUT } from '../../../contracts/browsers/keeper';
import { capped } from '../evidence/bounds';
import type { RequestWillBeSent } from './events';
import type { EvidenceLog, LoggedRequest } from '../evidence/evidence-log';

/** Most of these belong to requests that are not followed: reads of sub-resources. */
const MAX_REMEMBERED = 200;

/**
 * Follows the requests of one Chrome that may have changed something: every non-GET, and every navigation of a main
 * frame. It never keeps bodies or headers.
 */
export class Requests {
  private readonly pending = new Map<string, LoggedRequest>();
  /** Those of them that Chrome has not begun to send, as far as this keeper has seen. */
  private readonly unsent = new Set<LoggedRequest>();
  /** Their first bytes left before Chrome reported the request itself. */
  private readonly leftEarly = new Map<string, true>();
  /** Chrome reports in either order that a page may not read a response, and its status. */
  private readonly failedLately = new Map<string, LoggedRequest>();
  private sentSoFar = 0;

  constructor(
    private readonly log: () => EvidenceLog,
    browserId: string,
  ) {
    // Requests sent before this keeper came: Chrome keeps their ids, so their end is still reported.
    for (const request of log().unanswered(browserId)) this.pending.set(keyOf('', chromesId(request)), request);
  }

  /** `mainFrame` is the frame whose documents are navigations; a page's main frame has the id of its target. */
  sent(session: string, mainFrame: string | undefined, event: RequestWillBeSent): void {
    if (event.redirectResponse !== undefined) {
      this.answered(session, event.requestId, event.redirectResponse.status);
      this.finished(session, event.requestId);
    }
    const isNavigation = event.type === 'Document' && event.frameId !== undefined && event.frameId === mainFrame;
    if (event.request.method === 'GET' && !isNavigation) return;
    const at = new Date();
    this.sentSoFar += 1;
    const request: LoggedRequest = {
      // A redirect has the same id, so the id alone is not unique.
      id: `${event.requestId}#${at.getTime()}.${this.sentSoFar}`,
      at: at.toISOString(),
      method: event.request.method,
      url: capped(event.request.url),
      resourceType: event.type ?? 'Other',
    };
    const key = keyOf(session, event.requestId);
    this.pending.set(key, request);
    // Chrome may report in either order what left after a redirect.
    if (!this.leftEarly.delete(key) && event.redirectResponse === undefined) this.unsent.add(request);
    const dropped = this.log().addRequest(request);
    if (dropped !== undefined) this.settle((pending) => pending === dropped);
  }

  /** Chrome has begun to send it. */
  left(session: string, requestId: string): void {
    const request = this.pending.get(this.key(session, requestId));
    if (request !== undefined) return void this.unsent.delete(request);
    rememberLast(this.leftEarly, keyOf(session, requestId), true);
  }

  answered(session: string, requestId: string, status: number): void {
    const request = this.pending.get(this.key(session, requestId)) ?? this.failedLately.get(keyOf(session, requestId));
    if (request === undefined || request.status === status) return;
    request.status = status;
    delete request.failure;
    this.log().addResponse(request);
  }

  finished(session: string, requestId: string): void {
    const key = this.key(session, requestId);
    const request = this.pending.get(key);
    if (request !== undefined) this.unsent.delete(request);
    this.pending.delete(key);
  }

  failed(session: string, requestId: string, reason: string): void {
    const key = this.key(session, requestId);
    this.settle((_, pendingKey) => pendingKey === key, reason);
  }

  /** The page is gone, so the end of its requests will not be reported. */
  forget(session: string): void {
    this.settle((_, key) => key.startsWith(`${session}/`), 'the page was closed before an answer came');
  }

  private key(session: string, requestId: string): string {
    const key = keyOf(session, requestId);
    return this.pending.has(key) ? key : keyOf('', requestId);
  }

  private settle(isMeant: (request: LoggedRequest, key: string) => boolean, failure?: string): void {
    for (const [key, request] of this.pending) {
      if (!isMeant(request, key)) continue;
      this.pending.delete(key);
      const isUnsent = this.unsent.delete(request) && failure === NO_WAY_OUT;
      if (request.status !== undefined || failure === undefined) continue;
      request.failure = failure;
      rememberLast(this.failedLately, key, request);
      if (isUnsent) request.isUnsent = true;
      this.log().addResponse(request);
    }
  }
}

/** Keeps the newest entries. */
function rememberLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= MAX_REMEMBERED) map.delete(oldest);
  map.set(key, value);
}

function keyOf(session: string, requestId: string): string {
  return `${session}/${requestId}`;
}

function chromesId({ id }: LoggedRequest): string {
  return id.slice(0, id.lastIndexOf('#'));
}
