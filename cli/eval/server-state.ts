import { isDeepStrictEqual } from 'node:util';
import { fitted } from '../../contracts/text';
import { oneLineOf } from '../context/failure';
import type { StateCheck } from './eval-file';
import { matches } from './pattern';

const STATE_WITHIN_MS = 10_000;

/** Asks the server; resolves to a sentence where its state is another one, or it gives none. */
export async function stateProblem({ get, at, equals, contains, count }: StateCheck): Promise<string | undefined> {
  let body: unknown;
  try {
    const answer = await fetch(get, { signal: AbortSignal.timeout(STATE_WITHIN_MS) });
    if (!answer.ok) return `${get} answered with status ${answer.status}`;
    body = JSON.parse(await answer.text());
  } catch (error) {
    return `${get} gave no JSON (${oneLineOf(error)})`;
  }
  const found = at === undefined ? body : valueAt(body, at);
  const where = at === undefined ? get : `${at} of ${get}`;
  const shown = fitted(JSON.stringify(found) ?? 'nothing', 300);
  if (equals !== undefined)
    return isDeepStrictEqual(found, equals) ? undefined : `${where}: expected ${JSON.stringify(equals)}, got ${shown}`;
  if (contains !== undefined)
    return matches(typeof found === 'string' ? found : (JSON.stringify(found) ?? ''), contains)
      ? undefined
      : `${where}: expected it to contain ${JSON.stringify(contains)}, got ${shown}`;
  const length = Array.isArray(found) ? found.length : undefined;
  return length === count ? undefined : `${where}: expected ${count} entries, got ${length ?? shown}`;
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (each, name) => (typeof each === 'object' && each !== null ? (each as Record<string, unknown>)[name] : undefined),
      value,
    );
}
