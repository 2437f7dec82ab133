import type { StepStatus } from './step-result';

/** A finished step as prompts of later steps have it: its outcome, never the content of its page. */
export interface EarlierStep {
  stepIndex: number;
  instruction: string;
  status: StepStatus;
  /** The last message of its model, or a task's answer. */
  message: string;
  /** Where it ended. */
  url: string;
  /** Of its last screenshot; empty where there is none. */
  screenshotId: string;
}
