import type { GenerationRequest, LanguageModel } from '../../../../contracts/model-port/language-model';
import type { Pricing } from '../calls/prices';

/** A server may have to load its model first. */
const CHECK_TIMEOUT_MS = 120_000;
/** Enough for the thoughts that a thinking model spends tokens on before it writes. */
const CHECK_MAX_TOKENS = 1024;

/** A model that is tried, with the environment that a worker would have. */
export interface Trial {
  language: LanguageModel;
  model: string;
  env: NodeJS.ProcessEnv;
  pricing: Pricing;
}

/** A small request: one system prompt, one message, and what is asked for. */
export function request(
  system: string,
  text: string,
  more: Pick<GenerationRequest, 'answer'> & Partial<GenerationRequest>,
): GenerationRequest {
  return {
    system,
    messages: [{ role: 'user', parts: [{ kind: 'text', text }] }],
    temperature: 0,
    maxTokens: CHECK_MAX_TOKENS,
    timeoutMs: CHECK_TIMEOUT_MS,
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    onDelta: () => {},
    ...more,
  };
}

/** What a model said, for a line. */
export function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
