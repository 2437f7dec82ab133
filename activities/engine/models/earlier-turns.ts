import type { CallEnd, PlannedCall } from '../../../contracts/tools/planned-call';
import type { JournalEntry } from '../../../store/journal/journal';
import type { StoredMessage } from '../../../store/models/messages';
import type { Store } from '../../../store/store';
import type { PastTurn } from '../../../contracts/model-port/port';

/** The turns of a task so far with what became of their calls, for a model that plans by outcomes. */
export async function earlierTurns(store: Store, sessionId: string, stepIndex: number): Promise<PastTurn[]> {
  const [messages, journal] = await Promise.all([
    store.messages.ofStep(sessionId, stepIndex),
    store.journal.ofStep(sessionId, stepIndex),
  ]);
  return messages.flatMap((message): PastTurn[] => {
    if (message.kind !== 'reply' || message.calls.length === 0) return [];
    const answers = messages.find(({ kind, turn }) => kind === 'results' && turn === message.turn + 1);
    const ends = message.calls.map(({ callId }) => {
      const planned = message.planned?.find((each) => each.callId === callId);
      return entryEnd(journal, planned) ?? callEnd(answers, callId);
    });
    const calls = message.calls.map(({ name }) => name);
    return [{ turn: message.turn, raw: message.raw, calls, outcomes: ends }];
  });
}

/** The journal has more than the result of the call: it also has the decision about a click of unknown outcome. */
function entryEnd(
  journal: readonly JournalEntry[],
  planned: PlannedCall | undefined,
): PastTurn['outcomes'][0] | undefined {
  if (planned?.run.kind !== 'browser') return undefined;
  const { commandId } = planned.run.command;
  const entry = journal.find((each) => each.commandId === commandId);
  if (entry === undefined || entry.status === 'intended') return undefined;
  const { status, error, evidence, resolution } = entry;
  return {
    status,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(resolution === undefined ? {} : { resolution: { by: resolution.by, happened: resolution.happened } }),
  };
}

const STATUS = { success: 'done', error: 'failed', cancelled: 'skipped' } as const satisfies Record<
  CallEnd['status'],
  string
>;

function callEnd(answers: StoredMessage | undefined, callId: string): PastTurn['outcomes'][0] {
  const result = answers?.kind === 'results' ? answers.results.find(({ end }) => end.callId === callId) : undefined;
  if (result === undefined) return { status: 'skipped' };
  const { status, isSkipped: isLeftOut } = result.end;
  if (isLeftOut === true) return { status: 'skipped' };
  // A rejected call must not be requested again, so its error is final.
  const message = result.text.replace(/^Error: /, '').split('\n')[0]!;
  if (status === 'success') return { status: STATUS[status] };
  return { status: 'failed', error: { code: 'TL001', message } };
}
