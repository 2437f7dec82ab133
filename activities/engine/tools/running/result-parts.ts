import type { CallEnd } from '../../../../contracts/tools/planned-call';
import type { Store } from '../../../../store/store';
import { loadSessionValues } from '../../../secrets/session-values';
import type { PromptPart } from '../../../../contracts/model-port/language-model';
import type { TurnKey } from '../../../../store/models/messages';
import type { ModelToolCall } from '../port';
import { toErrorText, truncateOutput } from '../../../recorded/result-text';
import { loadImage } from '../../models/load-image';

interface ResultDeps {
  store: Store;
  env: NodeJS.ProcessEnv;
}

/** The stored result of a call: its text, and the picture it took. */
interface StoredResult {
  text: string;
  artifactId?: string | undefined;
}

/** The result of a call that has ended, for the model: the workflow's message, else the stored result. */
export async function toResultParts(
  { store, env }: ResultDeps,
  { sessionId }: TurnKey,
  call: ModelToolCall,
  end: CallEnd,
): Promise<PromptPart[]> {
  const stored = await loadResult(store, sessionId, call.callId);
  const output = end.message ?? stored?.text ?? defaultText(end);
  const values = await loadSessionValues(store, sessionId, env);
  const text = truncateOutput(values.redact(output));
  // Without a picture that was deleted the text has to do.
  const picture = await loadImage(store, sessionId, stored?.artifactId).catch(() => undefined);
  return [{ kind: 'text', text }, ...(picture === undefined ? [] : [{ kind: 'image' as const, ...picture }])];
}

async function loadResult(store: Store, sessionId: string, callId: string): Promise<StoredResult | undefined> {
  const row = await store.toolCalls.get(sessionId, callId);
  if (row?.commandId === undefined) return row?.outcome;
  const [entry] = await store.journal.find(sessionId, [row.commandId]);
  if (entry === undefined || entry.status === 'intended') return undefined;
  if (entry.status !== 'done') return { text: toErrorText(entry.error ?? { message: 'it failed.' }) };
  const { output, pictureId } = entry.response?.metadata ?? {};
  return { text: String(output ?? ''), artifactId: pictureId as string | undefined };
}

function defaultText({ status }: CallEnd): string {
  return status === 'success' ? 'Done.' : `Error: the call was ${status === 'cancelled' ? 'cancelled' : 'not run'}.`;
}
