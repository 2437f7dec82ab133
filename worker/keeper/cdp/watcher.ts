import { setTimeout as delay } from 'node:timers/promises';
import type { ApprovedDeed, DeedReport } from '../../../contracts/browsers/approved-request';
import type { IdempotencyHeader } from '../../../contracts/browsers/keeper';
import type { DevTools } from '../devtools/devtools';
import { connectCdp, type CdpConnection } from './connection';
import { RequestInterception } from './request-interception';
import { Dialogs } from './dialogs';
import type { EvidenceLog } from '../evidence/evidence-log';
import { unblockPage, HELD_LIMIT_MS } from './held-page';
import { Navigations } from './navigations';
import { Requests } from './requests';
import { Sockets } from './sockets';

/** The keeper's own connection to a Chrome for its whole life: it sees what happens while no worker is attached. */
interface Watcher {
  /** Answers all open dialogs but those that are held; resolves when none of them blocks its page. */
  answerDialogs(): Promise<void>;
  readonly dialogs: Dialogs;
  setIdempotencyHeader(key: IdempotencyHeader | undefined): Promise<void>;
  /** Lets only what was approved leave from now on, or everything; resolves to what became of the deed before. */
  setDeed(deed: ApprovedDeed | undefined): Promise<DeedReport | undefined>;
  /** Addresses that pages are connected to by WebSockets. */
  openSockets(): string[];
  /** Milliseconds since a page last waited for a response; 0 while one waits, null when none ever did. */
  quietForMs(): number | null;
  askToClose(): Promise<unknown>;
  /** Resolves when Chrome has gone, or this keeper has let go of it. */
  readonly ended: Promise<void>;
}

interface WatchOptions {
  devTools: DevTools;
  browserId: string;
  /** Empty while it is in the pool. */
  sessionId: () => string;
  isWorkerAttached: () => boolean;
  /** The log for all observations. */
  evidence: () => EvidenceLog;
  /** The process that renders a page, or a frame of one, has died. */
  onRendererGone: () => void;
  /** True when the Chrome ran before this keeper: an unreported dialog may block its pages. */
  isAdopted: boolean;
  /** The header of a commit that was under way when the previous keeper ended. */
  idempotencyHeader?: IdempotencyHeader | undefined;
}

const FIRST_PAGE_MS = 5000;
/** A page that is busy for longer may have sent frames that are not compared. */
const FRAMES_MS = 1000;
/** Chrome keeps no bodies for a client that never reads them. */
const NETWORK = { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 };
/** Types of targets that send requests. */
const WATCHED = new Set(['page', 'iframe', 'worker', 'shared_worker', 'service_worker']);
/** Types of targets that show something. */
const SHOWN = new Set(['page', 'iframe']);

export async function watchTarget({
  devTools,
  browserId,
  sessionId: sessionOf,
  isWorkerAttached,
  evidence,
  onRendererGone,
  isAdopted,
  idempotencyHeader: commitKey,
}: WatchOptions): Promise<Watcher> {
  const connection = await connectCdp(devTools);
  const requests = new Requests(evidence, browserId);
  const dialogs = new Dialogs(
    (sessionId, accept, promptText) =>
      connection.send('Page.handleJavaScriptDialog', { accept, promptText }, { sessionId }),
    isWorkerAttached,
    evidence,
  );
  const interception = new RequestInterception(connection, commitKey, sessionOf);
  const sockets = new Sockets(() => interception.deedGuard);
  const navigations = new Navigations();
  const mainFrames = new Map<string, string>();
  const shown = new Set<string>();
  const rendererGone = Promise.withResolvers<void>();
  const preparations: Promise<void>[] = [];
  let firstPageIsReady = () => {};
  const firstPage = new Promise<void>((resolve) => (firstPageIsReady = resolve));
  let isStarting = true;

  connection.on('Target.attachedToTarget', ({ sessionId, targetInfo: { type, targetId } }) => {
    if (!WATCHED.has(type)) return;
    if (type === 'page') mainFrames.set(sessionId, targetId);
    if (SHOWN.has(type)) shown.add(sessionId);
    interception.watch(sessionId, type === 'page' ? targetId : undefined);
    const mayBeHeld = isStarting && isAdopted;
    const prepared = prepare(connection, sessionId, type, mayBeHeld, () => navigations.isUnderWay(sessionId));
    if (isStarting) preparations.push(prepared);
    if (type === 'page') void prepared.then(firstPageIsReady);
  });
  connection.on('Target.detachedFromTarget', ({ sessionId }) => {
    mainFrames.delete(sessionId);
    shown.delete(sessionId);
    interception.forget(sessionId);
    sockets.forget(sessionId);
    dialogs.forget(sessionId);
    navigations.forget(sessionId);
    requests.forget(sessionId);
  });
  connection.on('Inspector.targetCrashed', (_, session = '') => {
    if (!shown.has(session)) return;
    onRendererGone();
    rendererGone.resolve();
  });
  connection.on('Page.frameStartedNavigating', (event, session = '') =>
    navigations.started(session, mainFrames.get(session), event),
  );
  connection.on('Page.frameNavigated', ({ frame }, session = '') => navigations.ended(session, frame.loaderId));
  connection.on('Page.frameStoppedLoading', ({ frameId }, session = '') => {
    if (frameId === mainFrames.get(session)) navigations.forget(session);
  });
  connection.on('Page.javascriptDialogOpening', (event, session = '') => dialogs.opened(session, event));
  connection.on('Page.javascriptDialogClosed', (event, session = '') => dialogs.closed(session, event.result));
  connection.on('Network.requestWillBeSent', (event, session = '') => {
    requests.sent(session, mainFrames.get(session), event);
    interception.noteSent(event.request);
    navigations.requested(session, event.requestId, event.request.method);
  });
  connection.on('Network.webSocketCreated', (event, session = '') => sockets.created(session, event));
  connection.on('Network.webSocketFrameSent', (event, session = '') => sockets.sent(session, event));
  connection.on('Network.webSocketClosed', ({ requestId }, session = '') => sockets.closed(session, requestId));
  connection.on('Network.requestWillBeSentExtraInfo', ({ requestId }, session = '') =>
    requests.left(session, requestId),
  );
  connection.on('Network.responseReceived', ({ requestId, response }, session = '') => {
    requests.answered(session, requestId, response.status);
    navigations.ended(session, requestId);
  });
  connection.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }, session = '') => {
    // The status of a redirect comes with the next request, sometimes before this event.
    if (statusCode < 300 || statusCode >= 400) requests.answered(session, requestId, statusCode);
  });
  connection.on('Network.loadingFinished', (event, session = '') => requests.finished(session, event.requestId));
  connection.on('Network.loadingFailed', ({ requestId, errorText }, session = '') => {
    requests.failed(session, requestId, errorText);
    navigations.ended(session, requestId);
  });

  await connection.send('Target.setAutoAttach', AUTO_ATTACH);
  // A new Chrome answers before it has its first page; an adopted one may have no page left.
  if (!isAdopted) await Promise.race([firstPage, connection.closed, delay(FIRST_PAGE_MS, undefined, { ref: false })]);
  // A page without its process answers nothing.
  await Promise.race([Promise.all(preparations), rendererGone.promise]);
  isStarting = false;

  return {
    ended: connection.closed,
    quietForMs: () => navigations.quietForMs(),
    setIdempotencyHeader: (key) => interception.useKey(key),
    async setDeed(deed) {
      // What was sent until now belongs to what was before: to the deed that ends, or to the habits of the page.
      await sockets.settled((sessionId) =>
        connection.send('Network.enable', NETWORK, { sessionId, timeoutMs: FRAMES_MS }),
      );
      return await interception.useDeed(deed);
    },
    dialogs,
    openSockets: () => sockets.addresses,
    askToClose: () => connection.send('Browser.close'),
    async answerDialogs() {
      // Once this is answered, all dialogs that opened before have been reported.
      await connection.send('Browser.getVersion').catch(() => undefined);
      await dialogs.answerLeft();
    },
  };
}

// A new target waits until the keeper listens; otherwise the POST of a form that opens a tab would be missed.
const AUTO_ATTACH = { autoAttach: true, flatten: true, waitForDebuggerOnStart: true };

/** Enables the events of a target. Never rejects: a target that ends meanwhile has no more events. */
async function prepare(
  connection: CdpConnection,
  sessionId: string,
  type: string,
  mayBeHeld: boolean,
  isNavigating: () => boolean,
): Promise<void> {
  const isPage = type === 'page';
  const limit = isPage && mayBeHeld ? { timeoutMs: HELD_LIMIT_MS } : {};
  const send = (method: string, params = {}) =>
    connection.send(method, params, { sessionId, ...limit }).then(
      () => true,
      () => false,
    );
  const enabled = Promise.all([
    isPage && send('Page.enable'),
    // Also reports a process that had died before.
    SHOWN.has(type) && send('Inspector.enable'),
    // Nobody sits before this window, and every tab must answer to the focus as if one did, whoever is attached.
    isPage && send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    send('Network.enable', NETWORK),
    send('Target.setAutoAttach', AUTO_ATTACH),
    send('Runtime.runIfWaitingForDebugger'),
  ]);
  if (isPage && mayBeHeld) {
    const ask = (method: string, params = {}) => connection.send(method, params, { sessionId });
    // A page that is left alone processes these commands once it answers.
    if (!(await unblockPage({ send: ask, answers: enabled, isNavigating }))) return;
  }
  await enabled;
}
