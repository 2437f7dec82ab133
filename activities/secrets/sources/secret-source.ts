import { EngineError } from '../../activity/failures';

/** A secret manager. It resolves to the value of a reference, or throws a SourceError, which never has a value in it. */
export interface SecretSource {
  /** How its references begin. */
  prefix: string;
  read(reference: string, signal: AbortSignal): Promise<string>;
}

type Why = 'unreachable' | 'refused' | 'missing' | 'not-set-up';

/** `unreachable` is worth another try of the activity; the others stay as they are. */
export function sourceError(reference: string, why: Why, sentence: string): EngineError {
  return new EngineError('SM002', `The secret ${reference} can't be read: ${sentence}`, {
    details: { source: why },
    ...(why === 'unreachable' ? { isWorthAnotherTry: true } : { isFinal: true }),
  });
}
