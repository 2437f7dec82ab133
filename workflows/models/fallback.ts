import { patched, sleep } from '@temporalio/workflow';
import type { StandardError } from '../../contracts/errors/standard-error';
import { BREAKER_OPEN } from '../../contracts/models/model-limits';
import { isOwnServer, modelChain } from '../../contracts/models/model-name';
import { errorRecordOf } from '../proxies/failures';
import { onceAdmitted, type ModelContext } from './admission';

/** Codes of failures that another model may not have: those of a model, or of the way to it. */
const MODEL_FAILURE = /^(AI00\d|TL00[23])$/;
/** Codes of a provider: the next calls of the step go to the next model at once. */
const PROVIDER_FAILURE = /^(AI00[123]|TL002)$/;

/** How often, and how long in milliseconds, a vendor's rate limit is waited for that does not say when it ends. */
const RATE_LIMIT_WAITS = 10;
const FIRST_RATE_LIMIT_WAIT_MS = 10_000;
const LONGEST_RATE_LIMIT_WAIT_MS = 120_000;

/** What a server of one's own is when it restarts, and how often, and how long, it is waited for once it has answered. */
const AWAY = new Set<unknown>(['unreachable', 'cut', 'unavailable']);
const RESTART_WAITS = 10;
const RESTART_WAIT_MS = 8000;

/** The models of one step, best first: a call that has failed with one for good goes to the next. */
export class ModelFallback {
  private first = 0;
  private readonly names: string[];

  constructor(
    private readonly run: ModelContext,
    private readonly stepIndex: number,
    setting: string,
  ) {
    this.names = modelChain(setting);
  }

  async call<T>(request: (model: string) => Promise<T>): Promise<T> {
    const { maxRetryAttempts } = this.run.session.config.timeouts;
    let index = this.first;
    const { answeredBy } = this.run.session;
    for (let waits = 0, limited = 0, away = 0; ;) {
      const model = this.names[index]!;
      try {
        const answer = await onceAdmitted(this.run, this.stepIndex, () => request(model));
        answeredBy.add(model);
        return answer;
      } catch (error) {
        const next = this.names[index + 1];
        const failure = errorRecordOf(error);
        const { kind, retryAfterMs = 0 } = failure?.details ?? {};
        if (next === undefined && kind === BREAKER_OPEN && waits < maxRetryAttempts) {
          // There is no other model to go to.
          waits += 1;
          await sleep(retryAfterMs, { summary: `wait until ${model} is tried again` });
          continue;
        }
        if (
          next === undefined &&
          kind === 'rate-limited' &&
          limited < RATE_LIMIT_WAITS &&
          patched('rate-limit-waits')
        ) {
          const waitMs = Math.min(FIRST_RATE_LIMIT_WAIT_MS * 2 ** limited, LONGEST_RATE_LIMIT_WAIT_MS);
          limited += 1;
          await sleep(Math.max(waitMs, retryAfterMs), { summary: `wait for the rate limit of ${model}` });
          continue;
        }
        const isRestarting = AWAY.has(kind) && isOwnServer(model) && answeredBy.has(model);
        if (next === undefined && isRestarting && away < RESTART_WAITS) {
          away += 1;
          await sleep(RESTART_WAIT_MS, { summary: `wait until the server of ${model} is back` });
          continue;
        }
        if (next === undefined || failure === undefined || !MODEL_FAILURE.test(failure.code)) throw error;
        if (PROVIDER_FAILURE.test(failure.code)) this.first = index + 1;
        this.warn(failure, model, next);
        index += 1;
      }
    }
  }

  private warn({ code, message: cause }: StandardError, from: string, to: string): void {
    const message = `${from} failed, so ${to} is asked instead: ${cause}`;
    const details = { kind: 'agent.model_fallback', from, to };
    this.run.session.warn({ code, message, details }, this.stepIndex);
  }
}
