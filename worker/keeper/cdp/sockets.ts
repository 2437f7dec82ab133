import type { DeedGuard } from '../deeds/deed-guard';
import type { WebSocketCreated, WebSocketFrameSent } from './events';

const MOST_HABITS = 500;
const LONGEST_SHAPE = 300;
const TEXT = 1;
/** Of Engine.IO: the kinds of packet and message before the payload, and all of a heartbeat. */
const FRAMING = /^\d{1,2}(?=[[{]|$)/;

/**
 * The WebSockets of one Chrome. Nobody can hold a frame, so what is sent while an approved command is under way is compared
 * when it has left.
 */
export class Sockets {
  private readonly urls = new Map<string, string>();
  /** Sessions of targets that have had one. */
  private readonly sessions = new Set<string>();
  /** What frames looked like while nothing was approved: heartbeats, pointers, reports. */
  private readonly habits = new Set<string>();

  constructor(private readonly guard: () => DeedGuard | undefined) {}

  created(session: string, { requestId, url }: WebSocketCreated): void {
    this.sessions.add(session);
    this.urls.set(key(session, requestId), url);
    // Its address is sent as well.
    this.guard()?.noteFrame({ method: 'CONNECT', url, headers: {} }, false);
  }

  sent(session: string, { requestId, response: { opcode, payloadData } }: WebSocketFrameSent): void {
    // One that was opened before this keeper watched is known by its first frame.
    this.sessions.add(session);
    const address = addressOf(this.urls.get(key(session, requestId)));
    const text = payloadData.replace(FRAMING, '');
    if (text === '') return;
    const guard = this.guard();
    const shape = `${address} ${opcode} ${text.replaceAll(/[\w-]*\d[\w.-]*/g, '#').slice(0, LONGEST_SHAPE)}`;
    if (guard === undefined) {
      if (this.habits.size < MOST_HABITS) this.habits.add(opcode === TEXT ? shape : `${address} ${opcode}`);
      return;
    }
    const isHabit = this.habits.has(opcode === TEXT ? shape : `${address} ${opcode}`);
    const body = opcode === TEXT ? { postData: text } : { hasPostData: true };
    guard.noteFrame({ method: 'SEND', url: address, headers: {}, ...body }, isHabit);
  }

  closed(session: string, requestId: string): void {
    this.urls.delete(key(session, requestId));
  }

  forget(session: string): void {
    this.sessions.delete(session);
    for (const each of this.urls.keys()) if (each.startsWith(`${session} `)) this.urls.delete(each);
  }

  /** Addresses of those that are open, without their queries. */
  get addresses(): string[] {
    return [...new Set([...this.urls.values()].map(addressOf))];
  }

  /** Resolves once all frames are known that were sent until now; `ask` is answered by the process that sends them. */
  async settled(ask: (session: string) => Promise<unknown>): Promise<void> {
    await Promise.allSettled([...this.sessions].map(ask));
  }
}

function key(session: string, requestId: string): string {
  return `${session} ${requestId}`;
}

function addressOf(url: string | undefined): string {
  if (url === undefined) return 'ws://unknown/';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
