import { z } from 'zod';
import { isAboutSchema, ProviderError, type ProviderErrorKind } from '../provider-error';
import { networkKind, networkProblem, type ObservedFailure, type RefusedResponse } from '../wire';
import { errorMessage } from '../../../../../contracts/errors/error-message';
import { oneLine } from '../../../../../contracts/text';

/** Google's error body, the same for Vertex AI, the Gemini API and an error in the middle of a stream. */
export const GoogleErrorSchema = z.object({
  error: z.object({
    code: z.number(),
    message: z.string(),
    status: z.string().optional(),
    details: z.array(z.looseObject({ '@type': z.string().optional() })).optional(),
  }),
});
type GoogleError = z.infer<typeof GoogleErrorSchema>['error'];

/** Creates the translator of errors of Google's vendors. The SDKs' errors lack headers, so the HTTP response is read. */
export function googleErrorTranslator(name: string): (error: unknown, outcome: ObservedFailure) => Error {
  return (error, { isSent, refusal }) => {
    if (refusal !== undefined) return refused(name, refusal);
    const message = errorMessage(error);
    const carried = carriedBy(error, message);
    if (carried !== undefined) return toGoogleError(name, carried, null);
    const network = networkProblem(error);
    if (network !== undefined)
      return new ProviderError(networkKind(network), `The connection to ${name} failed: ${network}.`, {
        cause: new Error(message),
      });
    // Google's SDKs look for credentials before they send anything.
    if (!isSent)
      return new ProviderError('credentials', `${name} can't be called without Google credentials: ${reasonOf(error)}`);
    if (/Failed to parse final chunk|Incomplete JSON segment|parsing JSON response/i.test(message))
      return new ProviderError('cut', `The answer of ${name} broke off in the middle.`, { cause: new Error(message) });
    return error instanceof Error ? error : new Error(message);
  };
}

/** An error within a stream: @google/genai throws its text, the `ai` package an error with `data`. */
function carriedBy(error: unknown, message: string): GoogleError | undefined {
  const inText = /\{"error".*\}/s.exec(message);
  if (inText !== null) return parsed(inText[0]);
  const data = (error as { data?: unknown } | null)?.data;
  return GoogleErrorSchema.safeParse(data).data?.error ?? GoogleErrorSchema.shape.error.safeParse(data).data;
}

/** Converts Google's error body, of a response or of a chunk of a stream. */
export function toGoogleError(name: string, error: GoogleError, retryAfter: string | null): ProviderError {
  const retryAfterMs = waitOf(error) ?? secondsToMs(retryAfter);
  return new ProviderError(kindOf(error), `${name} answered ${error.code} ${error.status ?? ''}: ${error.message}`, {
    retryAfterMs,
  });
}

function refused(name: string, { status, body, retryAfter }: RefusedResponse): ProviderError {
  const error = parsed(body) ?? { code: status, message: explanation(body) };
  return toGoogleError(name, error, retryAfter);
}

function parsed(text: string): GoogleError | undefined {
  try {
    const body: unknown = JSON.parse(text);
    // The error body of a stream may be a list with one entry.
    return GoogleErrorSchema.safeParse(Array.isArray(body) ? body[0] : body).data?.error;
  } catch {
    return undefined;
  }
}

function kindOf({ code, message, details = [] }: GoogleError): ProviderErrorKind {
  if (code === 429) {
    const isQuota = details.some((each) => each['@type']?.endsWith('QuotaFailure') === true) && !hasWait(details);
    return isQuota || /billing|exceeded your current quota/i.test(message) ? 'quota' : 'rate-limited';
  }
  if (code === 401 || code === 403 || /API key not valid|API_KEY_INVALID/i.test(message)) return 'credentials';
  if (code === 404) return 'unknown-model';
  if (code === 413 || /token count.*exceeds|exceeds the maximum number of tokens|input.*too long/i.test(message))
    return 'too-long';
  if (code === 408 || code >= 500) return 'unavailable';
  return isAboutSchema(message) ? 'schema-refused' : 'bad-request';
}

function hasWait(details: NonNullable<GoogleError['details']>): boolean {
  return details.some((each) => each['@type']?.endsWith('RetryInfo') === true);
}

/** Reads the delay of RetryInfo: seconds as text, such as `13s` or `0.5s`. */
function waitOf({ details = [] }: GoogleError): number | undefined {
  const info = details.find((each) => each['@type']?.endsWith('RetryInfo') === true);
  const delay = info?.['retryDelay'];
  const seconds = typeof delay === 'string' ? /^([\d.]+)s$/.exec(delay)?.[1] : undefined;
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

/** Reads Retry-After: a number of seconds or a date. */
export function secondsToMs(retryAfter: string | null): number | undefined {
  if (retryAfter === null || retryAfter.trim() === '') return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds * 1000));
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** The VertexAI class wraps the cause in general advice. */
function reasonOf(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: string; cause?: { message?: string } };
  return explanation(cause?.message ?? message ?? String(error));
}

export function explanation(text: string): string {
  return oneLine(text.replace(/<[^>]*>/g, ' '), 300) || 'no explanation';
}
