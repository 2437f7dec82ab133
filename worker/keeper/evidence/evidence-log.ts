import type { z } from 'zod';
import {
  RequestRecordSchema,
  type BlockedOrigin,
  type DialogRecordSchema,
  type KeeperEvidence,
  type GapSchema,
} from '../../../contracts/browsers/keeper';
import { pushCapped } from './bounds';
import type { EvidenceFile, EvidenceLine } from './evidence-file';

type DialogRecord = z.infer<typeof DialogRecordSchema>;
type RequestRecord = z.infer<typeof RequestRecordSchema>;
/** A request with an id that is unique, also for a keeper that did not see it being sent. */
export type LoggedRequest = RequestRecord & { id: string };

/** One Chrome of the session, and the gaps in which it ran unwatched. */
interface WatchedChrome {
  browserId: string;
  /** The log is complete since then, except for the gaps; later than the start when old records were dropped. */
  since: string;
  gaps: z.infer<typeof GapSchema>[];
  state: 'watched' | 'let-go' | 'ended';
  /** Why it ended, where that is known. */
  endedBecause?: string | undefined;
}

/**
 * A killed keeper may not have read the last events that Chrome sent; they are older than the last time in the file.
 */
const UNREAD_MS = 1000;

/**
 * The evidence of one session's Chromes. It outlives each of them, because whoever finds a command without an outcome
 * asks what it caused; with a file it outlives the keeper as well.
 */
export class EvidenceLog {
  private readonly chromes: WatchedChrome[] = [];
  private readonly requests: { browserId: string; request: LoggedRequest }[] = [];
  private readonly blockedOrigins: BlockedOrigin[] = [];
  private readonly dialogs: { browserId: string; dialog: DialogRecord }[] = [];

  constructor(private readonly file?: EvidenceFile) {
    for (const line of file?.read() ?? []) this.apply(line);
    // The keeper that wrote the file was killed: it watched as long as it lived.
    if (file !== undefined && this.current?.state === 'watched')
      this.current.gaps.push({ from: new Date(file.lastAliveAt() - UNREAD_MS).toISOString() });
  }

  private get current(): WatchedChrome | undefined {
    return this.chromes.at(-1);
  }

  /** Starts to watch a Chrome. What it did since an earlier keeper released it is a gap. */
  watch(browserId: string): void {
    this.record({ kind: 'watched', at: now(), browserId });
    this.file?.stayAlive();
  }

  /** The Chrome is gone. */
  end(because?: string): void {
    if (this.current !== undefined && this.current.state !== 'ended')
      this.record({ kind: 'ended', at: now(), because });
    this.file?.rest();
  }

  /** The Chrome runs on, unwatched. */
  release(): void {
    if (this.current?.state === 'watched') this.record({ kind: 'let-go', at: now() });
    this.file?.rest();
  }

  remove(): void {
    this.file?.remove();
  }

  /** True when no Chrome of the session was watched here. */
  get isBlank(): boolean {
    return this.chromes.length === 0;
  }

  /** Why the newest Chrome is gone, where that is known. */
  get endedBecause(): string | undefined {
    return this.current?.endedBecause;
  }

  get isWatching(): boolean {
    return this.current?.state === 'watched';
  }

  /** Returns the record that was dropped for this one. */
  addRequest(request: LoggedRequest): LoggedRequest | undefined {
    return this.record({ kind: 'request', request });
  }

  addResponse({ id, status, failure, isUnsent }: LoggedRequest): void {
    this.file?.append({ kind: 'answer', id, status, failure, isUnsent }, () => this.lines());
  }

  addDialog(dialog: DialogRecord): void {
    this.record({ kind: 'dialog', dialog });
  }

  /** Each blocked origin is recorded once. */
  addBlockedOrigin({ origin, guard }: Pick<BlockedOrigin, 'origin' | 'guard'>): void {
    if (this.blockedOrigins.some((known) => known.origin === origin && known.guard === guard)) return;
    this.record({ kind: 'blocked', blocked: { at: now(), origin, guard } });
  }

  blockedSoFar(): BlockedOrigin[] {
    return [...this.blockedOrigins];
  }

  /** Requests of this Chrome without a response. */
  unanswered(browserId: string): LoggedRequest[] {
    return this.requests
      .filter((of) => of.browserId === browserId)
      .map(({ request }) => request)
      .filter(({ status, failure }) => status === undefined && failure === undefined);
  }

  evidence({ since, browserId }: { since?: string | undefined; browserId?: string | undefined } = {}): KeeperEvidence {
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
    const isMeant = (of: { browserId: string }, at: string) =>
      Date.parse(at) >= from && (browserId === undefined || of.browserId === browserId);
    const chromes = this.chromes.filter((chrome) => browserId === undefined || chrome.browserId === browserId);
    return {
      // Of a Chrome that was never watched here nothing is known.
      watchedSince: chromes[0]?.since ?? now(),
      gaps: chromes.flatMap(({ gaps }) => gaps.filter(({ to }) => to === undefined || Date.parse(to) >= from)),
      dialogs: this.dialogs.filter((of) => isMeant(of, of.dialog.at)).map(({ dialog }) => dialog),
      requests: this.requests
        .filter((of) => isMeant(of, of.request.at))
        // Without the id, which only the keeper uses.
        .map(({ request }) => RequestRecordSchema.parse(request)),
    };
  }

  private record(line: EvidenceLine): LoggedRequest | undefined {
    const dropped = this.apply(line);
    this.file?.append(line, () => this.lines());
    return dropped;
  }

  private apply(line: EvidenceLine): LoggedRequest | undefined {
    const { current } = this;
    const browserId = current?.browserId ?? '';
    switch (line.kind) {
      case 'watched':
        if (current?.browserId === line.browserId && current.state !== 'ended') {
          closeGap(current, line.at);
          current.state = 'watched';
        } else {
          pushCapped(this.chromes, { browserId: line.browserId, since: line.at, gaps: [], state: 'watched' });
        }
        return undefined;
      case 'let-go':
      case 'ended':
        if (current === undefined) return undefined;
        if (line.kind === 'ended') {
          closeGap(current, line.at);
          current.endedBecause = line.because;
        } else pushCapped(current.gaps, { from: line.at });
        current.state = line.kind;
        return undefined;
      case 'gap':
        if (current !== undefined) pushCapped(current.gaps, { from: line.from, to: line.to });
        return undefined;
      case 'dialog':
        this.forgetBefore(pushCapped(this.dialogs, { browserId, dialog: line.dialog })?.dialog.at);
        return undefined;
      case 'blocked':
        pushCapped(this.blockedOrigins, line.blocked);
        return undefined;
      case 'answer': {
        const seen = this.requests.findLast(({ request }) => request.id === line.id)?.request;
        if (line.status !== undefined) delete seen?.failure;
        if (seen !== undefined) Object.assign(seen, answerOf(line));
        return undefined;
      }
      case 'request': {
        const dropped = pushCapped(this.requests, { browserId, request: line.request })?.request;
        this.forgetBefore(dropped?.at);
        return dropped;
      }
    }
  }

  /** Records were dropped: the log is complete only after them. */
  private forgetBefore(at: string | undefined): void {
    if (at === undefined) return;
    for (const chrome of this.chromes) if (Date.parse(chrome.since) < Date.parse(at)) chrome.since = at;
  }

  /** The whole log, for a rewrite of the file. */
  private lines(): EvidenceLine[] {
    const chromes = this.chromes.flatMap(({ browserId, since, gaps, state, endedBecause }): EvidenceLine[] => [
      { kind: 'watched', at: since, browserId },
      ...gaps.flatMap(({ from, to }): EvidenceLine[] => (to === undefined ? [] : [{ kind: 'gap', from, to }])),
      ...this.requests
        .filter((of) => of.browserId === browserId)
        .map(({ request }): EvidenceLine => ({ kind: 'request', request })),
      ...this.dialogs
        .filter((of) => of.browserId === browserId)
        .map(({ dialog }): EvidenceLine => ({ kind: 'dialog', dialog })),
      ...(state === 'watched' ? [] : [{ kind: state, at: gaps.at(-1)?.from ?? since, because: endedBecause }]),
    ]);
    return [...chromes, ...this.blockedOrigins.map((blocked): EvidenceLine => ({ kind: 'blocked', blocked }))];
  }
}

function answerOf({ status, failure, isUnsent }: Extract<EvidenceLine, { kind: 'answer' }>) {
  return {
    ...(status === undefined ? {} : { status }),
    ...(failure === undefined ? {} : { failure }),
    ...(isUnsent === undefined ? {} : { isUnsent }),
  };
}

function closeGap({ gaps }: WatchedChrome, at: string): void {
  const last = gaps.at(-1);
  if (last !== undefined && last.to === undefined) last.to = at;
}

function now(): string {
  return new Date().toISOString();
}
