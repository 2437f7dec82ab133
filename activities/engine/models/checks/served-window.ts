import { z } from 'zod';

const ANSWERS_WITHIN_MS = 3000;

const tokens = z.int().positive();
const named = (own: string) => (name: string | undefined) => name === own || name === `${own}:latest`;

/** Where each kind of server says how long a request may be: an address behind its root, and how its answer is read. */
const PLACES: readonly [path: string, read: (answer: unknown, model: string) => number | undefined][] = [
  [
    // llama.cpp: the window of one slot.
    '/props',
    (answer) =>
      z.object({ default_generation_settings: z.object({ n_ctx: tokens }) }).safeParse(answer).data
        ?.default_generation_settings.n_ctx,
  ],
  [
    // Ollama: what it has loaded the model with.
    '/api/ps',
    (answer, model) =>
      z
        .object({ models: z.array(z.object({ name: z.string(), context_length: tokens.optional() })) })
        .safeParse(answer)
        .data?.models.find(({ name }) => named(model)(name))?.context_length,
  ],
  [
    // LM Studio.
    '/api/v0/models',
    (answer, model) =>
      z
        .object({ data: z.array(z.object({ id: z.string(), loaded_context_length: tokens.optional() })) })
        .safeParse(answer)
        .data?.data.find(({ id }) => named(model)(id))?.loaded_context_length,
  ],
  [
    // vLLM.
    '/v1/models',
    (answer, model) =>
      z
        .object({ data: z.array(z.object({ id: z.string(), max_model_len: tokens.optional() })) })
        .safeParse(answer)
        .data?.data.find(({ id }) => named(model)(id))?.max_model_len,
  ],
  // TGI.
  ['/info', (answer) => z.object({ max_total_tokens: tokens }).safeParse(answer).data?.max_total_tokens],
];

/** The context window, in tokens, that a server has given a model which it has loaded; undefined where it does not say. */
export async function servedWindow(
  { baseURL, apiKey }: { baseURL: string; apiKey?: string | undefined },
  model: string,
): Promise<number | undefined> {
  const root = baseURL.replace(/\/+$/, '').replace(/\/v1$/, '');
  const found = await Promise.all(
    PLACES.map(async ([path, read]) => read(await answerOf(`${root}${path}`, apiKey), model)),
  );
  return found.find((each) => each !== undefined);
}

async function answerOf(url: string, apiKey: string | undefined): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    return response.ok ? ((await response.json()) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
