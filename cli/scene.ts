import { StreamEventType } from '../contracts/events';
import type { LogRecord } from '../contracts/log';

/** What a reader of the log has to remember to tell the next record well. */
export interface Scene {
  totalSteps: number;
  model: string;
  startedAt: number | undefined;
  stepStartedAt: number | undefined;
  /** Of the last step that failed, so that the end of the session doesn't tell it again. */
  failure: { stepIndex: number; message: string } | undefined;
}

export function openingScene(known: { totalSteps?: number } = {}): Scene {
  return {
    totalSteps: known.totalSteps ?? 0,
    model: '',
    startedAt: undefined,
    stepStartedAt: undefined,
    failure: undefined,
  };
}

/** The scene after a record. */
export function advance(scene: Scene, { type, data, at, stepIndex }: LogRecord): Scene {
  switch (type) {
    case StreamEventType.WORKFLOW_STARTED: {
      const { totalSteps, model } = data.details ?? {};
      return {
        ...scene,
        startedAt: Date.parse(at),
        totalSteps: Math.max(scene.totalSteps, typeof totalSteps === 'number' ? totalSteps : 0),
        model: typeof model === 'string' ? model : '',
      };
    }
    case StreamEventType.WORKFLOW_PROGRESS:
      // Steps are added, never taken away; an old record knows less than what was known from the start.
      return { ...scene, totalSteps: Math.max(scene.totalSteps, data.progress?.totalSteps ?? 0) };
    case StreamEventType.STEP_STARTED:
      // A log read from its middle may name a step beyond the number known so far.
      return { ...scene, stepStartedAt: Date.parse(at), totalSteps: Math.max(scene.totalSteps, (stepIndex ?? 0) + 1) };
    case StreamEventType.STEP_FAILED:
      return { ...scene, failure: { stepIndex: stepIndex ?? 0, message: data.error?.message ?? '' } };
    default:
      return scene;
  }
}
