import { sleep, uuid4 } from '@temporalio/workflow';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import { BREAKER_OPEN } from '../../contracts/models/model-limits';
import { modelChain } from '../../contracts/models/model-name';
import { applicationFailureOf } from '../activities/failures';
import { onceAdmitted } from './admission';
import type { SessionRun } from '../sessions/session-run';

/** What a model, or the way to it, failed with; any other failure is not cured by asking another one. */
const OF_A_MODEL = /^(AI00\d|TL00[23])$/;
/** Lies with the provider and not with the question: the next questions of the step go to the next model at once. */
const OF_A_PROVIDER = /^(AI00[123]|TL002)$/;

/** The models of one step, best first: what one has failed at for good is asked of the next. */
export class ModelFallback {
  private first = 0;
  private readonly names: string[];

  constructor(
    private readonly run: SessionRun,
    private readonly stepIndex: number,
    setting: string,
  ) {
    this.names = modelChain(setting);
  }

  async ask<T>(question: (model: string) => Promise<T>): Promise<T> {
    let index = this.first;
    for (let waits = 0; ;) {
      const model = this.names[index]!;
      try {
        return await onceAdmitted(this.run, this.stepIndex, () => question(model));
      } catch (error) {
        const next = this.names[index + 1];
        const failed = applicationFailureOf(error)?.details?.[0] as StandardError | undefined;
        const { kind, retryAfterMs = 0 } = failed?.details ?? {};
        if (next === undefined && kind === BREAKER_OPEN && waits < this.run.config.timeouts.maxRetryAttempts) {
          // There is no other to go to.
          waits += 1;
          await sleep(retryAfterMs, { summary: `wait until ${model} is tried again` });
          continue;
        }
        if (next === undefined || failed === undefined || !OF_A_MODEL.test(failed.code)) throw error;
        if (OF_A_PROVIDER.test(failed.code)) this.first = index + 1;
        this.tell(failed, model, next);
        index += 1;
      }
    }
  }

  private tell(failed: StandardError, from: string, to: string): void {
    const warning = {
      id: uuid4(),
      code: failed.code,
      message: `${from} failed, so ${to} is asked instead: ${failed.message}`,
      details: { kind: 'agent.model_fallback', from, to },
      timestamp: new Date(),
      sessionId: this.run.sessionId,
      stepIndex: this.stepIndex,
    };
    this.run.record('executor-streamer', StreamEventType.WARNING_ISSUED, { warning }, this.stepIndex);
  }
}
