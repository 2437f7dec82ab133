import { z } from 'zod';
import { secondsToMs, explanation } from '../google/errors';
import { isAboutSchema, ProviderError, type ProviderErrorKind } from '../provider-error';
import { networkKind, networkProblem, type ObservedFailure } from '../wire';
import { isOwnServer } from '../../../../../contracts/models/model-name';
import { errorMessage } from '../../../../../contracts/errors/error-message';

/** The error body of OpenAI and of compatible servers; Anthropic's has the same two levels. */
const VendorErrorSchema = z.object({
  // LM Studio and Ollama report some errors as text.
  error: z.union([
    z.object({
      message: z.string(),
      type: z.string().nullish(),
      code: z.union([z.string(), z.number()]).nullish(),
    }),
    z.string().transform((message) => ({ message, type: undefined, code: undefined })),
  ]),
});
type VendorError = z.infer<typeof VendorErrorSchema>['error'];

/** Whose requests, errors and caches a vendor of the `ai` package has. */
export type AiProtocol = 'openai' | 'anthropic';

/** Between two tries at a server that is being restarted, or that loads its model: a few of them outlast it. */
const RESTART_MS = 8000;

/** Translates what the `ai` package throws: errors are in OpenAI's or Anthropic's format. */
export function errorTranslator(name: string): (error: unknown, outcome: ObservedFailure) => Error {
  return (error, { refusal }) => {
    if (refusal !== undefined) {
      const reported = parsed(refusal.body) ?? { message: explanation(refusal.body) };
      const loadingMs = /loading model|model is loading/i.test(reported.message) ? RESTART_MS : undefined;
      return toProviderError(name, refusal.status, reported, secondsToMs(refusal.retryAfter) ?? loadingMs);
    }
    const inStream = streamError(error);
    if (inStream !== undefined)
      return toProviderError(name, statusCodeOf(error) ?? statusOf(inStream), inStream, undefined);
    const network = networkProblem(error);
    const cause = new Error(errorMessage(error));
    if (network !== undefined)
      return new ProviderError(networkKind(network), `The connection to ${name} failed: ${network}.`, {
        cause,
        ...(isOwnServer(name) && network.includes('ECONNREFUSED') ? { retryAfterMs: RESTART_MS } : {}),
      });
    return error instanceof Error ? error : cause;
  };
}

function toProviderError(
  name: string,
  status: number,
  reported: VendorError,
  retryAfterMs: number | undefined,
): ProviderError {
  const what = String(reported.code ?? reported.type ?? '');
  return new ProviderError(kindOf(status, reported), `${name} answered ${status} ${what}: ${reported.message}`, {
    retryAfterMs,
  });
}

function parsed(text: string): VendorError | undefined {
  try {
    return VendorErrorSchema.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}

/** An error in a chunk of a stream: the package has it as `data`, or as the text of a body. */
function streamError(error: unknown): VendorError | undefined {
  const { data, responseBody } = (error ?? {}) as { data?: unknown; responseBody?: unknown };
  if (typeof responseBody === 'string' && parsed(responseBody) !== undefined) return parsed(responseBody);
  const whole = VendorErrorSchema.safeParse(data);
  if (whole.success) return whole.data.error;
  const bare = VendorErrorSchema.shape.error.options[0].safeParse(data).data;
  const status = statusCodeOf(error);
  return bare ?? (status === undefined ? undefined : { message: (error as Error).message });
}

function statusCodeOf(error: unknown): number | undefined {
  const status: unknown = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' && status >= 400 ? status : undefined;
}

/** The HTTP status that the error would have had before the stream began. */
function statusOf({ type, code }: VendorError): number {
  const what = `${type ?? ''} ${code ?? ''}`;
  if (/overloaded/.test(what)) return 529;
  if (/rate_limit/.test(what)) return 429;
  if (/authentication|permission|invalid_api_key/.test(what)) return 401;
  if (/not_found/.test(what)) return 404;
  if (/invalid_request/.test(what)) return 400;
  return 500;
}

/** Anthropic, OpenAI and vLLM; llama.cpp, Ollama; LM Studio; vLLM and TGI. */
const TOO_LONG =
  /prompt is too long|context (?:length|window|size)|when context the overflows|maximum model length|`inputs` tokens \+ `max_new_tokens`/i;

function kindOf(status: number, { message, type, code }: VendorError): ProviderErrorKind {
  const what = `${type ?? ''} ${code ?? ''}`;
  if (/insufficient_quota|billing/i.test(what) || /credit balance is too low/i.test(message)) return 'quota';
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'credentials';
  if (status === 404) return 'unknown-model';
  if (status === 413 || /context_length_exceeded|exceed_context_size/.test(what) || TOO_LONG.test(message))
    return 'too-long';
  if (/content_policy|content_filter/.test(what)) return 'blocked';
  if (status === 408 || status === 409 || status >= 500) return 'unavailable';
  return isAboutSchema(message) ? 'schema-refused' : 'bad-request';
}
