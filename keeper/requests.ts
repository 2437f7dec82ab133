import type { z } from 'zod';
import type { RequestRecordSchema } from '../contracts/keeper';
import { capped, pushCapped } from './bounds';
import type { RequestWillBeSent } from './cdp-events';

type RequestRecord = z.infer<typeof RequestRecordSchema>;

/**
 * The requests of one Chrome that may have changed something: every non-GET, and every navigation of a main frame.
 * Bodies and headers are never kept.
 */
export class Requests {
  private readonly pending = new Map<string, RequestRecord>();
  readonly seen: RequestRecord[] = [];

  /** `mainFrame` is the frame whose documents are navigations; the main frame of a page has its target's id. */
  sent(session: string, mainFrame: string | undefined, event: RequestWillBeSent): void {
    const key = keyOf(session, event.requestId);
    if (event.redirectResponse !== undefined) {
      this.answered(session, event.requestId, event.redirectResponse.status);
      this.pending.delete(key);
    }
    const isNavigation = event.type === 'Document' && event.frameId !== undefined && event.frameId === mainFrame;
    if (event.request.method === 'GET' && !isNavigation) return;
    const record: RequestRecord = {
      at: new Date().toISOString(),
      method: event.request.method,
      url: capped(event.request.url),
      resourceType: event.type ?? 'Other',
    };
    this.pending.set(key, record);
    const dropped = pushCapped(this.seen, record);
    if (dropped !== undefined) this.settle((pending) => pending === dropped);
  }

  answered(session: string, requestId: string, status: number): void {
    const record = this.pending.get(keyOf(session, requestId));
    if (record !== undefined) record.status = status;
  }

  finished(session: string, requestId: string): void {
    this.pending.delete(keyOf(session, requestId));
  }

  failed(session: string, requestId: string, reason: string): void {
    const key = keyOf(session, requestId);
    this.settle((_, pendingKey) => pendingKey === key, reason);
  }

  /** The page is gone: nothing will tell any more how its requests ended. */
  forget(session: string): void {
    this.settle((_, key) => key.startsWith(`${session}/`), 'the page was closed before an answer came');
  }

  private settle(isMeant: (record: RequestRecord, key: string) => boolean, failure?: string): void {
    for (const [key, record] of this.pending) {
      if (!isMeant(record, key)) continue;
      if (record.status === undefined && failure !== undefined) record.failure = failure;
      this.pending.delete(key);
    }
  }
}

function keyOf(session: string, requestId: string): string {
  return `${session}/${requestId}`;
}
