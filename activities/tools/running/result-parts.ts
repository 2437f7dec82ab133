import type { CallEnd } from '../../../contracts/tools/planned-call';
import type { Store } from '../../../store/store';
import { loadSessionValues } from '../../secrets/session-values';
import type { PromptPart } from '../../models/language-model';
import type { TurnKey } from '../../../store/models/messages';
import type { ModelToolCall } from '../port';
import { toErrorText, truncateOutput } from './result-text';

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
  const picture = stored?.artifactId === undefined ? undefined : await loadPicture(store, sessionId, stored.artifactId);
  return [{ kind: 'text', text }, ...(picture === undefined ? [] : [picture])];
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

/** Undefined where the picture was deleted: then the text has to do. */
async function loadPicture(store: Store, sessionId: string, artifactId: string): Promise<PromptPart | undefined> {
  try {
    const row = await store.artifacts.get(sessionId, artifactId);
    if (row === null) return undefined;
    const content = await store.artifacts.read(row);
    return { kind: 'image', mediaType: row.facts.mediaType ?? row.mediaType, base64: content.toString('base64') };
  } catch {
    return undefined;
  }
}
