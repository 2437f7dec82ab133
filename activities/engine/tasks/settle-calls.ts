import type { CallEnd } from '../../../contracts/tools/planned-call';
import type { ResultsMessage } from '../../../store/models/messages';
import type { CalledFunction } from '../../../contracts/model-port/language-model';
import type { Store } from '../../../store/store';
import { promptText } from '../models/prompt-parts';
import type { ToolRegistry } from '../tools/port';
import { storable } from './storable';

const UNKNOWN = 'Error: it was begun, and whether it took effect is unknown. Look before you do it again.';
const NOT_RUN = 'Error: it was not run: the task ended before.';

/**
 * Saves the results of the last calls of a task that ended before its model got them: at its limit of turns, or cancelled.
 * The next task of the conversation then begins with what the journal has, so that nothing is done a second time.
 */
export async function settleCalls(
  { store, toolRegistry }: { store: Store; toolRegistry: ToolRegistry },
  sessionId: string,
  stepIndex: number,
): Promise<void> {
  const { messages } = await store.messages.conversation(sessionId);
  const last = messages.findLast((message) => message.stepIndex < stepIndex);
  if (last?.kind !== 'reply' || last.calls.length === 0) return;
  const place = { sessionId, stepIndex: last.stepIndex, turn: last.turn };
  const results: ResultsMessage['results'] = [];
  for (const call of last.calls) {
    const end = await endOf(store, sessionId, call);
    // Only the texts: the page has changed since the pictures.
    results.push({ end, text: promptText(await toolRegistry.resultOf(place, call, end)), pictures: 0 });
  }
  await store.messages.save({ ...place, turn: last.turn + 1 }, storable({ kind: 'results', results, notes: [] }));
}

async function endOf(store: Store, sessionId: string, { callId }: CalledFunction): Promise<CallEnd> {
  const row = await store.toolCalls.get(sessionId, callId);
  const unrun: CallEnd = { callId, status: 'cancelled', message: NOT_RUN };
  const unknown: CallEnd = { callId, status: 'error', message: UNKNOWN };
  if (row === null) return unrun;
  if (row.commandId === undefined) {
    if (row.status === 'planned') return unrun;
    if (row.outcome === undefined || row.outcome.isUnknown === true) return unknown;
    return { callId, status: row.outcome.isError ? 'error' : 'success' };
  }
  const [entry] = await store.journal.find(sessionId, [row.commandId]);
  if (entry === undefined) return unrun;
  if (entry.status === 'done') return { callId, status: 'success' };
  return entry.status === 'failed' ? { callId, status: 'error' } : unknown;
}
