import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { GenerationRequest } from '../../../../../contracts/model-port/language-model';

const ASKED_EVERY_MS = 250;
const ANSWERS_WITHIN_MS = 2000;

/** What llama.cpp says of its slots, each of which makes one call at a time. */
const SlotsSchema = z.array(z.object({ is_processing: z.boolean() })).min(1);

interface Server {
  baseURL: string;
  apiKey?: string | undefined;
}

/**
 * Creates the wait before a call of a llama.cpp server: it goes on with a call that was aborted until it notices, and the
 * next one would spend its time in the queue behind it. The wait ends with a free slot, at the latest after the time of
 * the call. A server of another kind is asked for its slots once.
 */
export function createSlotWait(): (
  server: Server,
  request: Pick<GenerationRequest, 'signal' | 'timeoutMs'>,
) => Promise<void> {
  const known = new Map<string, 'slots' | 'no slots'>();
  return async ({ baseURL, apiKey }, { signal, timeoutMs }) => {
    const root = baseURL.replace(/\/+$/, '').replace(/\/v1$/, '');
    const until = performance.now() + timeoutMs;
    while (known.get(root) !== 'no slots' && performance.now() < until) {
      const state = await slotsAt(`${root}/slots`, apiKey);
      if (state === 'busy' || state === 'free') known.set(root, 'slots');
      else if (state === 'none') known.set(root, 'no slots');
      // A server with slots may be too busy to say so.
      if (state !== 'busy' && !(state === 'silent' && known.has(root))) return;
      await sleep(ASKED_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  };
}

/** `gone`: nothing listens, or it is not ready, which the call itself reports. */
async function slotsAt(url: string, apiKey: string | undefined): Promise<'free' | 'busy' | 'none' | 'silent' | 'gone'> {
  try {
    const response = await fetch(url, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    const text = await response.text();
    if (response.status === 503) return 'gone';
    const slots = response.ok ? SlotsSchema.safeParse(parsed(text)).data : undefined;
    if (slots === undefined) return 'none';
    return slots.some((slot) => !slot.is_processing) ? 'free' : 'busy';
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silent' : 'gone';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
