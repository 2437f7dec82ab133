import type { ModelUsage } from '../../../../contracts/model-port/language-model';
import type { ErrorCode } from '../../../../contracts/errors/error-codes';
import { EngineError } from '../../../activity/failures';

/** The failures of a vendor's call, by what can be done about them. */
export type ProviderErrorKind =
  | 'rate-limited'
  | 'quota'
  | 'unavailable'
  | 'unreachable'
  | 'cut'
  | 'stalled'
  | 'overdue'
  | 'blocked'
  | 'recitation'
  | 'truncated'
  | 'too-long'
  | 'empty'
  | 'malformed-call'
  | 'credentials'
  | 'unknown-model'
  | 'bad-request'
  | 'schema-refused'
  | 'settings'
  | 'no-recording';

interface ProviderErrorDefinition {
  code: ErrorCode;
  /** False where another call of the same model fails in the same way. */
  isRetryable: boolean;
  /** Fewer retries than the session's configuration allows. */
  maxRetries?: number;
  suggestedAction: string;
}

const ANOTHER_MODEL = 'or name a fallback model after a comma in SUREFOOT_MODEL';

/**
 * The code of S1.38 and the retries of each kind. A call is given up by wire.ts after `aiConfig.timeoutMs` (30 s, or
 * SUREFOOT_MODEL_TIMEOUT_SECONDS), as stalled or, while it still writes, overdue: it is retried once, as it may have been paid
 * for. Then workflows/models/fallback.ts goes to the next model.
 */
const DEFINITIONS: Record<ProviderErrorKind, ProviderErrorDefinition> = {
  'rate-limited': { code: 'AI003', isRetryable: true, suggestedAction: `Ask for a higher limit, ${ANOTHER_MODEL}.` },
  quota: { code: 'AI003', isRetryable: false, suggestedAction: `Raise the quota or the budget, ${ANOTHER_MODEL}.` },
  unavailable: { code: 'AI001', isRetryable: true, suggestedAction: `Try again later, ${ANOTHER_MODEL}.` },
  unreachable: {
    code: 'AI001',
    isRetryable: true,
    suggestedAction: `Check the network to the vendor, ${ANOTHER_MODEL}.`,
  },
  cut: { code: 'TL002', isRetryable: true, suggestedAction: `Check the network to the vendor, ${ANOTHER_MODEL}.` },
  stalled: {
    code: 'TL002',
    isRetryable: true,
    maxRetries: 1,
    suggestedAction: 'Raise config.aiConfig.timeoutMs (--model-timeout) if the model thinks longer before it writes.',
  },
  overdue: {
    code: 'TL002',
    isRetryable: true,
    maxRetries: 1,
    suggestedAction: 'Raise config.aiConfig.timeoutMs (--model-timeout), or lower config.aiConfig.maxTokens.',
  },
  blocked: { code: 'AI005', isRetryable: false, suggestedAction: `Rephrase the step, ${ANOTHER_MODEL}.` },
  recitation: { code: 'AI005', isRetryable: false, suggestedAction: `Rephrase the step, ${ANOTHER_MODEL}.` },
  truncated: { code: 'AI004', isRetryable: false, suggestedAction: 'Raise config.aiConfig.maxTokens.' },
  'too-long': {
    code: 'AI005',
    isRetryable: false,
    suggestedAction: 'Use a model with a larger context, or split the step so that it needs a smaller page.',
  },
  empty: { code: 'AI004', isRetryable: false, suggestedAction: `Rephrase the step, ${ANOTHER_MODEL}.` },
  'malformed-call': {
    code: 'AI004',
    isRetryable: true,
    maxRetries: 2,
    suggestedAction: `Try again, ${ANOTHER_MODEL}.`,
  },
  credentials: {
    code: 'AI002',
    isRetryable: false,
    suggestedAction:
      'Check the credentials of the engine workers with `surefoot doctor --model`; docs/models.md names them.',
  },
  'unknown-model': {
    code: 'AI001',
    isRetryable: false,
    suggestedAction: 'Check the name of the model, its location, and that the project may use it.',
  },
  'bad-request': { code: 'AI005', isRetryable: false, suggestedAction: 'Correct what the vendor says is wrong.' },
  'schema-refused': {
    code: 'AI005',
    isRetryable: false,
    suggestedAction: `Simplify the schema of the tool that the vendor names, ${ANOTHER_MODEL}.`,
  },
  settings: {
    code: 'AI001',
    isRetryable: false,
    suggestedAction: 'Set it in the environment of the engine workers; docs/models.md lists the settings.',
  },
  'no-recording': {
    code: 'AI001',
    isRetryable: false,
    suggestedAction: 'Record the session again with SUREFOOT_MODEL_CASSETTE=record, or unset it to call the model.',
  },
};

/** After a longer wait than this the call is not retried: the next model is called, or the session fails. */
const LONGEST_WAIT_MS = 60_000;

/** What vendors say of a schema that they do not take: an unknown keyword, or a grammar that would be too large. */
export function isAboutSchema(message: string): boolean {
  return /schema|response_format|any_?of|too many states|grammar/i.test(message);
}

/** A failed call of a vendor; activities/activity/failures.ts converts it to Temporal's ApplicationFailure. */
export class ProviderError extends EngineError {
  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    readonly facts: { retryAfterMs?: number | undefined; usage?: ModelUsage | undefined; cause?: unknown } = {},
  ) {
    const { code, isRetryable, maxRetries, suggestedAction } = DEFINITIONS[kind];
    const { retryAfterMs, cause } = facts;
    super(code, message, {
      details: {
        kind,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        ...(maxRetries === undefined ? {} : { maxRetries }),
      },
      suggestedAction,
      isFinal: !isRetryable || (retryAfterMs ?? 0) > LONGEST_WAIT_MS,
      cause,
    });
    this.name = 'ModelTrouble';
  }
}
