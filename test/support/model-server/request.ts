import type { Generation, GenerationRequest } from '../../../contracts/model-port/language-model';
import { ProviderError } from '../../../activities/engine/models/providers/provider-error';

const SCHEMA = {
  type: 'object',
  properties: {
    thought: { type: 'string' },
    commands: {
      type: 'array',
      items: { type: 'object', properties: { action: { type: 'string', enum: ['A', 'B'] } } },
    },
  },
  required: ['thought', 'commands'],
  additionalProperties: false,
} as const;

/** A request with defaults, and what it has streamed so far. */
export function aRequest(change: Partial<GenerationRequest> = {}): GenerationRequest & { deltas: string[] } {
  const deltas: string[] = [];
  return {
    system: 'You operate a browser.',
    messages: [{ role: 'user', parts: [{ kind: 'text', text: 'What now?' }] }],
    answer: { kind: 'json', schema: SCHEMA },
    temperature: 0.1,
    maxTokens: 4000,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onDelta: (text) => deltas.push(text),
    deltas,
    ...change,
  };
}

/** The trouble a call ended in; anything else fails the test with what it was. */
export async function providerErrorOf(call: Promise<Generation>): Promise<ProviderError> {
  const error: unknown = await call.then(
    (answer) => new Error(`It answered: ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw new Error('It ended, but not in a trouble', { cause: error });
}
