import { decideByReading } from '../../activities/engine/models/decide-by-reading';
import { createModelResolver } from '../../activities/engine/models/resolve-model';
import { AIResponseSchema, type AIResponse } from '../../contracts/models/ai-response';
import type { CallListener, DecisionRequest, Model } from '../../contracts/model-port/port';
import { isUnread } from '../../contracts/models/reading';
import { resolveConfig } from '../../contracts/sessions/resolve-config';
import { startLeaders } from '../small-models/leaders';

/** A model that says steps in the words of `rules`. */
export interface Reader {
  model: Model;
  name: string;
  /** What it was asked for and what came of it: calls, readings that were followed, tokens in and out. */
  spent: { calls: number; followed: number; tokens: number };
}

/** Small weights take so long for a call on two busy cores. */
const CALL_LIMIT_MS = 240_000;
const UNHEARD: CallListener = {
  started: async () => {},
  delta() {},
  discarded: async () => {},
  ended: async () => {},
};
const CONNECTION = 'reader';

/** Brings up weights, or finds a model of a server that is up. */
export async function startReader(
  name: string,
  baseURL: string | undefined,
  started: { stop(): Promise<void> }[],
): Promise<Reader> {
  const [leader] = await startLeaders({ baseURL, models: [name] }, started);
  const { connection } = leader!;
  const resolve = createModelResolver({ SUREFOOT_CONNECTIONS: JSON.stringify({ [CONNECTION]: connection }) });
  const model = `${connection.vendor}/${name}`;
  return { name, model: resolve({ model, connectionId: CONNECTION }), spent: { calls: 0, followed: 0, tokens: 0 } };
}

export async function readBy({ model, spent }: Reader, request: DecisionRequest): Promise<AIResponse> {
  const resolved = resolveConfig({ aiConfig: { timeoutMs: CALL_LIMIT_MS } });
  if (resolved.kind === 'invalid') throw new Error(resolved.issues.map(({ message }) => message).join('; '));
  const journal = request.pastIterations.flatMap(({ commands }) => commands);
  const { reply, usage } = await decideByReading(
    'wanted',
    async () => model,
    { request, history: { replies: [], journal } },
    {
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
      ai: resolved.config.ai,
      validationMode: 'strict',
      nonce: 'strangers',
      listener: UNHEARD,
    },
  );
  const read = AIResponseSchema.parse(reply);
  spent.calls += 1;
  spent.followed += isUnread(read.context) ? 0 : 1;
  spent.tokens += usage.inputTokens + usage.outputTokens;
  return read;
}
