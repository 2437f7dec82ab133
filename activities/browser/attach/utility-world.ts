import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { selectors, type Frame } from 'playwright';

/** Of a selector engine of Playwright, which runs in its own world of a frame. */
const ENGINE = 'surefoot';
const ASK_AGAIN_MS = 20;

let registered: Promise<void> | undefined;

/** Has to be done before the browser gets its context. */
export function registerUtilityWorld(): Promise<void> {
  registered ??= selectors.register(ENGINE, createEngine, { contentScript: true });
  return registered;
}

/**
 * Evaluates an expression in Playwright's own world of a frame, without DevTools: it sees the document, and no script of
 * the page sees it. Resolves to its result by value.
 */
export async function evaluateInUtilityWorld(frame: Frame, source: string, timeoutMs: number): Promise<unknown> {
  const id = randomUUID();
  const end = performance.now() + timeoutMs;
  for (let asked: object = { id, source }; ; asked = { id }) {
    const timeout = Math.max(1, end - performance.now());
    const selector = `${ENGINE}=${encodeURIComponent(JSON.stringify(asked)).replaceAll("'", '%27')}`;
    const text = await frame.locator(selector).textContent({ timeout });
    const { value, error, isPending } = JSON.parse(text ?? '{}') as Answer;
    if (error !== undefined) throw new Error(error);
    if (isPending !== true) return value;
    if (performance.now() > end) throw new Error(`The page gave no answer within ${timeoutMs} ms.`);
    await delay(ASK_AGAIN_MS);
  }
}

interface Answer {
  value?: unknown;
  error?: string;
  isPending?: true;
}

/** Runs in the frame. What it finds is no element of the page: it holds the answer as its text. */
function createEngine() {
  const pending = new Map<string, Answer>();
  const evaluate = (id: string, source: string): Answer => {
    // oxlint-disable-next-line no-eval -- as DevTools evaluates: the sources are the engine's own
    const value: unknown = (0, eval)(source);
    if (!(value instanceof Promise)) return { value };
    const keep = (answer: Answer) => void pending.set(id, answer);
    value.then(
      (settled: unknown) => keep({ value: settled }),
      (error: unknown) => keep({ error: String(error) }),
    );
    return { isPending: true };
  };
  const answerOf = (body: string): Answer => {
    const { id, source } = JSON.parse(decodeURIComponent(body)) as { id: string; source?: string };
    try {
      if (source !== undefined) {
        const answer = evaluate(id, source);
        if (answer.isPending === true) pending.set(id, answer);
        return answer;
      }
      const answer = pending.get(id) ?? { error: 'The document is another one.' };
      if (answer.isPending !== true) pending.delete(id);
      return answer;
    } catch (error) {
      return { error: String(error) };
    }
  };
  const find = (body: string): Element => {
    const holder = document.createElement('i');
    holder.textContent = JSON.stringify(answerOf(body));
    return holder;
  };
  return {
    query: (_: unknown, body: string) => find(body),
    queryAll: (_: unknown, body: string) => [find(body)],
  };
}
