import { setTimeout as sleep } from 'node:timers/promises';
import type { TakeoverEnd } from '../../../contracts/browsers/takeover';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { TakeoverRow } from '../../../store/browsers/takeovers';
import { messageIdFromKey } from '../../../store/sessions/session-id';
import { loadSessionValues } from '../../secrets/session-values';
import { isOfType } from '../attach/attach';
import type { BrowserDeps } from '../attach/browser-deps';
import { takeCheckpoint } from '../checkpoints/take-checkpoint';
import { createApprovedDeeds } from '../commands/approved-deeds';
import { startRecorder } from '../pages/recorder';
import { snapshotOptionsFor } from '../pages/snapshots/snapshot-options';
import { takeSnapshot } from '../pages/snapshots/take-snapshot';
import { guardOf, type ActContext } from './act-context';
import { takeoverRecord } from './act-records';
import { actAtDialog, awaitAnswer, findWaitingDialog } from './answer-dialog';
import { stopFileChooser } from './file-choosers';
import { holdDialogs, letDialogsGo, unlessHeld } from './held-dialogs';
import { noteLastAct } from './sight-acts';
import { readPage } from './target-at';
import { closeLostActs } from './record-act';
import { runAct } from './run-act';

const ATTACH_LIMIT_MS = 10_000;
const POLL_MS = 50;
/** So long after the last act the page is kept. */
const IDLE_MS = 800;

const ENDS: Record<TakeoverEnd, string> = {
  'handed-back': 'The browser was handed back.',
  'time-limit': 'The takeover was ended, because nothing was done for long.',
  resumed: 'The takeover has ended, because the session goes on.',
  'browser-lost': 'The takeover has ended, because the browser was lost.',
};

/**
 * Does what a person has asked for at the browser of a session, in its order, and hands the browser back where that is wanted.
 * Resolves when there is nothing to do for now. Any worker of the host may do so at any time: each act is begun once.
 */
export async function driveTakeover(
  deps: BrowserDeps,
  sessionId: string,
  dialogMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { store, attachments } = deps;
  let lastActAt: number | undefined;
  while (!signal.aborted) {
    const [row, takeover] = await Promise.all([store.sessions.get(sessionId), store.takeovers.get(sessionId)]);
    if (row === null || takeover === null || takeover.ended) return;
    if (row.closed || !row.paused) {
      // One that asks for its end before the pause is in force takes the pause back.
      if (row.closed || takeover.wantedEnd !== null) await end(deps, row, takeover, takeover.wantedEnd ?? 'resumed');
      else if (!takeover.opened) await askForPause(store, takeover);
      return;
    }
    try {
      const act = await store.takeovers.next(sessionId, takeover.takeoverId);
      // A handing back answers what waits as always.
      const isShown = takeover.asks !== null || attachments.current(sessionId)?.watch.dialogAnswers.isWaiting === true;
      const mayWait = act !== undefined || (takeover.wantedEnd === null && isShown);
      const waiting = mayWait ? await findWaitingDialog(deps, row, takeover) : undefined;
      if (act !== undefined) {
        if (waiting !== undefined) await actAtDialog(deps, waiting, act);
        else
          await withBrowser(deps, row, takeover, signal, async (context) => {
            await holdDialogs(context, await attachments.keeper(), dialogMs);
            await runAct(context, act);
            if (row.plan.config.executor.recording === true)
              await unlessHeld(context.attachment, () => record(deps, context));
          });
        lastActAt = performance.now();
      } else if (waiting !== undefined) {
        if (!(await awaitAnswer(deps, waiting))) return;
      } else if (takeover.wantedEnd !== null) {
        await withBrowser(deps, row, takeover, signal, async (context) => {
          // What the person meant for an act of theirs answers none of the session's.
          await letDialogsGo(context.attachment, sessionId, await attachments.keeper());
          context.attachment.watch.dialogAnswers.end();
          await keepPage(context);
        });
        return await end(deps, row, takeover, takeover.wantedEnd);
      } else if (lastActAt === undefined) return;
      else if (performance.now() - lastActAt < IDLE_MS) await sleep(POLL_MS);
      else {
        await withBrowser(deps, row, takeover, signal, async (context) => {
          await unlessHeld(context.attachment, () => keepPage(context));
        });
        lastActAt = undefined;
      }
    } catch (error) {
      if (!isOfType(error, BROWSER_GONE)) throw error;
      return await end(deps, row, takeover, 'browser-lost');
    }
  }
}

async function withBrowser(
  { store, attachments, env }: BrowserDeps,
  { sessionId, runId, currentStep: stepIndex, plan: { steps } }: SessionRow,
  takeover: TakeoverRow,
  signal: AbortSignal,
  work: (context: ActContext) => Promise<void>,
): Promise<void> {
  const holder = { runId: runId! };
  const { attachment } = await attachments.use(sessionId, holder, { timeoutMs: ATTACH_LIMIT_MS, signal });
  try {
    const values = await loadSessionValues(store, sessionId, env);
    const { takeoverId, by, asks } = takeover;
    const [own, next] = [steps[stepIndex]?.instruction ?? '', steps[stepIndex + 1]?.instruction];
    const place = { store, sessionId, stepIndex, runId: runId!, takeoverId, asks };
    const context: ActContext = { ...place, attachment, values, instructions: [own, next] };
    const begun = takeoverRecord(sessionId, takeover, 'begun', `${by ?? 'A person'} has taken the browser over.`);
    await store.log.append(sessionId, [begun], { guard: guardOf(context) });
    await leaveNothingOfCommands(attachments, context);
    await closeLostActs(context);
    await work(context);
  } finally {
    attachments.leave(attachment);
  }
}

async function record({ attachments }: BrowserDeps, context: ActContext): Promise<void> {
  const recorder = startRecorder(attachments, context);
  await recorder.takeFrame();
  recorder.stop();
}

/** What a worker that died had set for its command is not for requests of a person. */
async function leaveNothingOfCommands(
  { keeper }: BrowserDeps['attachments'],
  { sessionId, attachment }: ActContext,
): Promise<void> {
  await createApprovedDeeds({ attachment, keeper, sessionId }).clear();
  if (!attachment.mayCarryIdempotencyKey) return;
  await (await keeper()).setIdempotencyHeader(sessionId, attachment.epoch, null);
  attachment.mayCarryIdempotencyKey = false;
}

/** Keeps the page for the model that decides next, and for the Chrome that may have to come after this one. */
async function keepPage(context: ActContext): Promise<void> {
  const { store, sessionId, attachment, values } = context;
  await attachment.openTab();
  stopFileChooser(attachment);
  await attachment.watch.settle(attachment.page, AbortSignal.timeout(ATTACH_LIMIT_MS));
  const read = await readPage(attachment, values);
  if (read !== undefined) await noteLastAct(context, read.snapshot);
  const snapshot = await takeSnapshot(attachment, values, await snapshotOptionsFor(store, sessionId));
  await takeCheckpoint({ ...context, epoch: attachment.epoch });
  await store.memory.saveSnapshot(sessionId, guardOf(context), snapshot);
}

/** A takeover that was requested while the last one was handed back found the session paused, and then it went on. */
async function askForPause(
  { controlMessages }: BrowserDeps['store'],
  { sessionId, takeoverId }: TakeoverRow,
): Promise<void> {
  const key = `pause-for-${takeoverId}`;
  await controlMessages.create(
    { messageId: messageIdFromKey(sessionId, key), sessionId, name: 'pause', requestHash: key, input: null },
    0,
  );
}

/** The session goes on by a message that is stored: whoever finds it delivers it. */
async function end(
  { store, attachments }: BrowserDeps,
  { sessionId, runId, closed }: SessionRow,
  takeover: TakeoverRow,
  why: TakeoverEnd,
): Promise<void> {
  const { takeoverId } = takeover;
  const attachment = attachments.current(sessionId);
  // What is answered late holds the session up for that long.
  if (attachment !== undefined && !closed)
    await letDialogsGo(attachment, sessionId, await attachments.keeper()).catch(() => {});
  if (!closed) {
    const record = takeoverRecord(sessionId, takeover, 'ended', ENDS[why]);
    await store.log.append(sessionId, [record], { guard: { runId: runId! } });
    const key = `hand-back-${takeoverId}`;
    if (why !== 'resumed')
      await store.controlMessages.create(
        { messageId: messageIdFromKey(sessionId, key), sessionId, name: 'resume', requestHash: key, input: null },
        0,
      );
  }
  await store.takeovers.end(sessionId, takeoverId, why);
}
