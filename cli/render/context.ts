import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';

/** What earlier records say that the rendering of the next one needs. */
export interface CliContext {
  totalSteps: number;
  model: string;
  startedAt: number | undefined;
  stepStartedAt: number | undefined;
  /** The last step that failed, so that the end of the session does not repeat its error. */
  failure: { stepIndex: number; message: string } | undefined;
}

export function initialContext(known: { totalSteps?: number } = {}): CliContext {
  return {
    totalSteps: known.totalSteps ?? 0,
    model: '',
    startedAt: undefined,
    stepStartedAt: undefined,
    failure: undefined,
  };
}

/** Returns the context after a record. */
export function advanceContext(context: CliContext, { type, data, at, stepIndex }: LogRecord): CliContext {
  switch (type) {
    case StreamEventType.WORKFLOW_STARTED: {
      const { totalSteps, model } = data.details ?? {};
      return {
        ...context,
        startedAt: Date.parse(at),
        totalSteps: Math.max(context.totalSteps, typeof totalSteps === 'number' ? totalSteps : 0),
        model: typeof model === 'string' ? model : '',
      };
    }
    case StreamEventType.WORKFLOW_PROGRESS:
      // Steps are only added: an old record may name fewer than are known by now.
      return { ...context, totalSteps: Math.max(context.totalSteps, data.progress?.totalSteps ?? 0) };
    case StreamEventType.STEP_STARTED:
      // A log read from its middle may name a step beyond the number known so far.
      return {
        ...context,
        stepStartedAt: Date.parse(at),
        totalSteps: Math.max(context.totalSteps, (stepIndex ?? 0) + 1),
      };
    case StreamEventType.STEP_FAILED:
      return { ...context, failure: { stepIndex: stepIndex ?? 0, message: data.error?.message ?? '' } };
    default:
      return context;
  }
}
