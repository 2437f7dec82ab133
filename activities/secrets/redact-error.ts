import type { Store } from '../../store/store';
import { loadSessionValues, type SessionValues } from './session-values';

/**
 * Runs `work` and redacts the error that it throws. Throws the error of the store instead when the secrets can't be
 * loaded.
 */
export async function redactingErrors<T>(
  { store, env }: { store: Store; env: NodeJS.ProcessEnv },
  sessionId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw redactError(error, await loadSessionValues(store, sessionId, env));
  }
}

/** Redacts the messages and stacks of an error and its causes, which Temporal stores. */
export function redactError(error: unknown, values: Pick<SessionValues, 'redact'>): unknown {
  for (let each = error; isErrorLike(each); each = each.cause) {
    for (const part of ['message', 'stack'] as const) {
      const text = each[part];
      const value = text === undefined ? text : values.redact(text);
      // The properties of an AbortError are read-only.
      if (value !== text) Object.defineProperty(each, part, { value, configurable: true, writable: true });
    }
  }
  return error;
}

function isErrorLike(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}
