import type { ModelCheck } from '../../../../contracts/models/model-check';
import { EngineError } from '../../../activity/failures';
import type { Pricing } from './prices';
import { createLanguageModel } from '../resolve-model';
import { errorMessage } from '../../../../contracts/errors/error-message';

const CHECK_TIMEOUT_MS = 30_000;
/** Enough for the thoughts that a thinking model spends tokens on before it writes. */
const CHECK_MAX_TOKENS = 1024;

/** Calls a model once, with a small request that costs little. A failure is part of the result. */
export async function checkModel(model: string, env: NodeJS.ProcessEnv, pricing: Pricing): Promise<ModelCheck> {
  const startedAt = performance.now();
  try {
    const { usage } = await createLanguageModel(model, { ...env, SUREFOOT_MODEL_CASSETTE: undefined }).generate({
      system: 'This call checks that the model can be reached. Answer with {"ok": true}.',
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
      timeoutMs: CHECK_TIMEOUT_MS,
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      onDelta: () => {},
    });
    const latencyMs = Math.round(performance.now() - startedAt);
    const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
    const cost = usage === undefined ? undefined : pricing(model, usage)?.amount;
    return { model, isGood: true, latencyMs, inputTokens, outputTokens, ...(cost === undefined ? {} : { cost }) };
  } catch (error) {
    const message = errorMessage(error);
    const { suggestedAction } = error instanceof EngineError ? error.more : {};
    return { model, isGood: false, message, ...(suggestedAction === undefined ? {} : { suggestedAction }) };
  }
}
