import { randomUUID } from 'node:crypto';
import type { ModelCheck } from '../../../../contracts/models/model-check';
import { parseModelName } from '../../../../contracts/models/model-name';
import { tokensOf } from '../calls/language-call';
import { ProviderError } from '../providers/provider-error';
import { request, type Trial } from './trial';

/** What a usual call of a step sends and gets, in tokens. */
const USUAL_CALL = { input: 2500, output: 150 };
const USUAL_LIMIT_MS = 30_000;

/** Measures how long a model reads before it writes, and how fast it writes. */
export async function checkSpeed({ language, model }: Trial): Promise<ModelCheck> {
  const name = 'Speed';
  const startedAt = performance.now();
  let firstAt: number | undefined;
  let received = 0;
  const onDelta = (text: string): void => {
    firstAt ??= performance.now();
    received += text.length;
  };
  // A new text each time: what the server has cached would be read in no time.
  const words = Array.from({ length: 40 }, () => randomUUID().slice(0, 8)).join(' ');
  const said = await language
    .generate(
      request(
        'Do what the user asks, in as few words as possible.',
        `Ignore these words: ${words}\nNow write the numbers from 1 to 40, with commas between.`,
        {
          answer: { kind: 'text' },
          onDelta,
          onThought: onDelta,
        },
      ),
    )
    .catch((error: unknown) => {
      // It was writing until its tokens were used up, which is enough to measure.
      if (error instanceof ProviderError && error.kind === 'truncated') return { usage: error.facts.usage };
      throw error;
    });
  const endedAt = performance.now();
  const { inputTokens, outputTokens } = said.usage ?? {
    inputTokens: tokensOf(words.length * 2),
    outputTokens: tokensOf(received),
  };
  const readingMs = (firstAt ?? endedAt) - startedAt;
  // An answer that comes in one piece was written before it came.
  const writingMs = endedAt - (firstAt ?? startedAt);
  const perSecond = outputTokens / (Math.max(writingMs < readingMs / 20 ? endedAt - startedAt : writingMs, 1) / 1000);
  const usualMs = (readingMs * USUAL_CALL.input) / Math.max(inputTokens, 1) + (USUAL_CALL.output / perSecond) * 1000;
  const what = `${model} began after ${Math.round(readingMs)} ms and wrote ${perSecond.toFixed(1)} tokens a second`;
  const isLocal = parseModelName(model)?.vendor === 'ai:openai-compatible';
  // The latency of a vendor far away does not grow with the request as that of a local model does.
  if (!isLocal || usualMs <= USUAL_LIMIT_MS) return { name, health: 'good', message: what };
  const seconds = Math.ceil(usualMs / 1000);
  // Twice as long, in half minutes: pages differ.
  const limit = Math.ceil(seconds / 15) * 30;
  const cure = `set SUREFOOT_MODEL_TIMEOUT_SECONDS=${limit} (or --model-timeout ${limit}), or use a smaller model`;
  return {
    name,
    health: 'poor',
    message: `${what}: a call of a usual step takes about ${seconds} s, and 30 s is its limit; ${cure}.`,
  };
}
