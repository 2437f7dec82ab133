import type { ModelUsage } from '../language-model';
import type { ErrorCode } from '../../../contracts/errors/error-codes';
import { EngineError } from '../../failures';

/** Everything that goes wrong between us and a vendor, by what can be done about it. */
export type ProviderErrorKind =
  | 'rate-limited'
  | 'quota'
  | 'unavailable'
  | 'cut'
  | 'stalled'
  | 'blocked'
  | 'recitation'
  | 'truncated'
  | 'too-long'
  | 'empty'
  | 'malformed-call'
  | 'credentials'
  | 'unknown-model'
  | 'bad-request'
  | 'settings'
  | 'no-recording';

interface ProviderErrorDefinition {
  code: ErrorCode;
  /** False: asking the same model again brings the same. */
  isRetryable: boolean;
  /** Fewer retries than the session's configuration allows. */
  maxRetries?: number;
  suggestedAction: string;
}

const ANOTHER_MODEL = 'or name a further model behind a comma in SUREFOOT_MODEL, which is then asked instead';

/** S1.38 for each kind. A stall is retried once: it may have been paid for. */
const DEFINITIONS: Record<ProviderErrorKind, ProviderErrorDefinition> = {
  'rate-limited': { code: 'AI003', isRetryable: true, suggestedAction: `Ask for a higher limit, ${ANOTHER_MODEL}.` },
  quota: { code: 'AI003', isRetryable: false, suggestedAction: `Raise the quota or the budget, ${ANOTHER_MODEL}.` },
  unavailable: { code: 'AI001', isRetryable: true, suggestedAction: `Try again later, ${ANOTHER_MODEL}.` },
  cut: { code: 'AI001', isRetryable: true, suggestedAction: `Look at the network to the provider, ${ANOTHER_MODEL}.` },
  stalled: {
    code: 'AI001',
    isRetryable: true,
    maxRetries: 1,
    suggestedAction: 'Raise config.aiConfig.timeoutMs if the model thinks that long before it writes.',
  },
  blocked: { code: 'AI005', isRetryable: false, suggestedAction: `Word the step in another way, ${ANOTHER_MODEL}.` },
  recitation: { code: 'AI005', isRetryable: false, suggestedAction: `Word the step in another way, ${ANOTHER_MODEL}.` },
  truncated: { code: 'AI004', isRetryable: false, suggestedAction: 'Raise config.aiConfig.maxTokens.' },
  'too-long': {
    code: 'AI005',
    isRetryable: false,
    suggestedAction: 'Use a model with a larger context, or split the step so that a smaller page is looked at.',
  },
  empty: { code: 'AI004', isRetryable: false, suggestedAction: `Word the step in another way, ${ANOTHER_MODEL}.` },
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
    suggestedAction: 'Check the name of the model, its location and that the project may use it.',
  },
  'bad-request': { code: 'AI005', isRetryable: false, suggestedAction: 'See what the provider says is wrong with it.' },
  settings: {
    code: 'AI001',
    isRetryable: false,
    suggestedAction: 'Set it for the engine workers; see docs/models.md.',
  },
  'no-recording': {
    code: 'AI001',
    isRetryable: false,
    suggestedAction:
      'Record the session again with SUREFOOT_MODEL_CASSETTE=record, or unset it to ask the model itself.',
  },
};

/** A wait longer than this is no wait but a refusal: the next model is asked, or the session fails and says why. */
const LONGEST_WAIT_MS = 60_000;

/** What a provider's failure is thrown as; activities/failures.ts makes the failure of it that Temporal sees. */
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
