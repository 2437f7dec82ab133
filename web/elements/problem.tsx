import { ApiError } from '../../client/http/api-error';

/** Says what went wrong with a request, in a sentence. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  // `fetch` rejects with a TypeError where there is no answer.
  if (error instanceof TypeError) return 'The API does not answer. Check that it runs; this page asks again by itself.';
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong, for readers and screen readers; nothing where nothing did. */
export function Problem({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p className="problem" role="alert">
      {errorText(error)}
    </p>
  );
}
