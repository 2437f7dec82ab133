import type { BrowserAction } from '../../../contracts/commands/commands';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { CallEnd, PlannedCall } from '../../../contracts/tools/planned-call';
import type { ReplyMessage, StoredMessage, TurnKey } from '../../../store/models/messages';
import type { Store } from '../../../store/store';
import { changeText } from '../../../rules/page-text/change-text';
import { goalWords } from '../../../rules/page-text/goal-words';
import { callDescription, toolsForPage } from '../tools/more-tools';

/** Commands whose own output says what is on the page. */
const SHOWS_PAGE = new Set<BrowserAction>(['READ_PAGE', 'FIND_ELEMENTS', 'READ_TEXT', 'EXTRACT', 'LIST_TABS']);

/** Changes that a model was given since it has seen the page whole may add up to this; then it gets the page whole again. */
const MOST_CHANGES = 8000;

/** The page after the calls of a turn, beside the result of the last call that acted. */
export interface PageAfter {
  callId: string;
  text: string;
  isWholePage: boolean;
  /** Descriptions of tools that this page calls for. */
  notes: string[];
}

/**
 * Says what the calls of a turn have changed on the session's own page, so that the model need not read the page again.
 * Undefined where none of them acted after the page was read.
 */
export async function pageAfterCalls(
  store: Store,
  { sessionId, stepIndex }: TurnKey,
  { reply, ends, instruction }: { reply: ReplyMessage | null; ends: readonly CallEnd[]; instruction: string },
): Promise<PageAfter | undefined> {
  const last = (reply?.planned ?? []).findLast((call) => actionOf(call) !== undefined && wasRun(call, ends));
  if (last === undefined || SHOWS_PAGE.has(actionOf(last)!)) return undefined;
  const [{ newest, shown }, messages] = await Promise.all([
    store.memory.snapshots(sessionId),
    store.messages.ofStep(sessionId, stepIndex),
  ]);
  if (newest === null) return undefined;
  const isWholePageDue = changesSinceWhole(messages) > MOST_CHANGES;
  const change = changeText(shown, newest, goalWords([instruction]), isWholePageDue);
  await store.memory.saveShownSnapshot(sessionId, newest);
  return { callId: last.callId, ...change, notes: newDescriptions(newest, messages) };
}

/** Each tool is described once in a step. */
function newDescriptions(newest: PageSnapshot, messages: readonly StoredMessage[]): string[] {
  const notes = messages.flatMap((message) => (message.kind === 'results' ? message.notes : []));
  return toolsForPage(newest)
    .map(callDescription)
    .filter((note) => !notes.includes(note));
}

function changesSinceWhole(messages: readonly StoredMessage[]): number {
  const results = messages.flatMap((message) => (message.kind === 'results' ? message.results : []));
  const whole = results.findLastIndex(({ pageAfter }) => pageAfter?.isWholePage === true);
  return results.slice(whole + 1).reduce((sum, { pageAfter }) => sum + (pageAfter?.text.length ?? 0), 0);
}

function actionOf({ run }: PlannedCall): BrowserAction | undefined {
  return run.kind === 'browser' ? run.command.action : undefined;
}

/** The workflow itself has a message about a call that was not run. */
function wasRun({ callId }: PlannedCall, ends: readonly CallEnd[]): boolean {
  const end = ends.find((each) => each.callId === callId);
  return end !== undefined && end.status !== 'cancelled' && end.isSkipped !== true && end.message === undefined;
}
