import type { CallEnd } from '../../contracts/tools/planned-call';
import type { Trail } from './loop-guards';

/** How far a task has come: all that the next run of the workflow has to know of it. Texts stand in the store. */
export interface TaskProgress extends Trail {
  stepIndex: number;
  /** The session's active time when the task began. */
  startedAtMs: number;
  /** Number of the next model call. */
  turn: number;
  /** Replies that came. */
  turns: number;
  /** How the calls of the last reply ended. */
  ends: CallEnd[];
  /** What the model is told beside them. */
  notes: string[];
  /** Tools with a call of which nobody knows whether it took effect. */
  doubtful: string[];
  lastText: string;
}

export function beginTask(stepIndex: number, startedAtMs: number): TaskProgress {
  return {
    stepIndex,
    startedAtMs,
    turn: 0,
    turns: 0,
    ends: [],
    notes: [],
    doubtful: [],
    navigations: [],
    actions: [],
    lastText: '',
  };
}
