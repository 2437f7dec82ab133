import { APIErrorSchema } from '../../contracts/api';

/** The API has refused a request; a request that is not `retryable` is refused again. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** S1.38; undefined where something between the API and this process has answered. */
    readonly code?: string,
    readonly retryable = false,
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Reads S1.62 of an answer that is no success. */
export async function toApiError(response: { status: number; json(): Promise<unknown> }): Promise<ApiError> {
  const { status } = response;
  const body = (await response.json().catch(() => undefined)) as { error?: unknown } | undefined;
  const { message, code, retryable, details } = APIErrorSchema.partial().safeParse(body?.error).data ?? {};
  return new ApiError(
    status,
    message ?? `The API answered with status ${status} and no reason.`,
    code,
    retryable,
    details,
  );
}
