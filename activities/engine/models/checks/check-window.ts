import type { ModelCheck } from '../../../../contracts/models/model-check';
import { parseModelName } from '../../../../contracts/models/model-name';
import { accountOf } from '../../../../contracts/models/vendors';
import { contextWindowOf } from '../calls/context-window';
import { servedWindow } from './served-window';
import type { Trial } from './trial';

/** Below this the page of a usual step does not fit beside its answer. */
const SMALL_WINDOW = 8192;

/** What is said of a window that is known, and short. */
export const TOO_SHORT = 'too few for a usual page';

/** Finds the context window of a model: that of a server of one's own is what it was started with. */
export async function checkWindow({ model, env }: Trial): Promise<ModelCheck> {
  const name = 'Context window';
  const known = contextWindowOf(model, env);
  const parsed = parseModelName(model);
  if (parsed?.vendor !== 'ai:openai-compatible') {
    const size = known === undefined ? 'is not known here; its vendor refuses what is too long' : `${known} tokens`;
    return { name, health: 'good', message: `that of ${model} ${known === undefined ? size : `has ${size}`}` };
  }
  const { baseURL, apiKey } = accountOf(parsed.vendor, env).values as { baseURL: string; apiKey?: string };
  const served = await servedWindow({ baseURL, apiKey }, parsed.model);
  const longer =
    'start the server with a longer one (llama.cpp -c 16384, Ollama OLLAMA_CONTEXT_LENGTH=16384, vLLM --max-model-len 16384)';
  const poor = (message: string): ModelCheck => ({ name, health: 'poor', message });
  if (served === undefined)
    return known === undefined
      ? poor(`The server at ${baseURL} does not say the window of ${model}: set SUREFOOT_CONTEXT_WINDOW to its tokens.`)
      : { name, health: 'good', message: `${known} tokens by SUREFOOT_CONTEXT_WINDOW; the server does not say it` };
  const set = `SUREFOOT_CONTEXT_WINDOW=${served}`;
  if (known !== undefined && known > served)
    return poor(`The server gives ${model} ${served} tokens, and SUREFOOT_CONTEXT_WINDOW is ${known}: set ${set}.`);
  if (served < SMALL_WINDOW)
    return poor(
      `The server gives ${model} ${served} tokens, ${TOO_SHORT} and its answer: ${longer}, or set ${set}, so that pages are cut to fit.`,
    );
  return { name, health: 'good', message: `the server gives ${model} ${served} tokens` };
}
