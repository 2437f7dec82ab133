import { EngineError } from '../../failures';
import type { Pricing } from './prices';
import { createLanguageModel } from '../resolve-model';

/** What one tiny call to a model came to. */
export type ModelCheck =
  | {
      model: string;
      isGood: true;
      latencyMs: number;
      inputTokens: number;
      outputTokens: number;
      cost: string | undefined;
    }
  | { model: string; isGood: false; message: string; suggestedAction: string | undefined };

const CHECK_TIMEOUT_MS = 30_000;
/** A model that thinks spends these on its thoughts before it writes a word. */
const CHECK_MAX_TOKENS = 1024;

export async function checkModel(model: string, env: NodeJS.ProcessEnv, pricing: Pricing): Promise<ModelCheck> {
  const startedAt = performance.now();
  try {
    const { usage } = await createLanguageModel(model, { ...env, SUREFOOT_MODEL_CASSETTE: undefined }).generate({
      system: 'You are asked whether you can be reached. Answer with {"ok": true}.',
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Are you there?' }] }],
      answer: {
        kind: 'json',
        schema: {
          type: 'object',
          properties: { ok: { type: 'boolean' } },
          required: ['ok'],
          additionalProperties: false,
        },
      },
      temperature: 0,
      maxTokens: CHECK_MAX_TOKENS,
      idleMs: CHECK_TIMEOUT_MS,
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      onDelta: () => {},
    });
    const latencyMs = Math.round(performance.now() - startedAt);
    const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
    const cost = usage === undefined ? undefined : pricing(model, usage)?.amount;
    return { model, isGood: true, latencyMs, inputTokens, outputTokens, cost };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      model,
      isGood: false,
      message,
      suggestedAction: error instanceof EngineError ? error.more.suggestedAction : undefined,
    };
  }
}
