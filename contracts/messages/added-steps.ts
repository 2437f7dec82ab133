import type { AddStepsRequest } from '../sessions/start-request';
import type { Step } from '../sessions/step-input';

/** Steps that are too large for a message: the workflow carries them by reference to the stored message. */
export interface CarriedAddition {
  messageId: string;
  steps: Step[];
  /** Origins that the texts name. */
  named: string[];
}

/** What the update `addSteps` carries. */
export type AddedSteps = AddStepsRequest | CarriedAddition;

/** Whether a part of the input stays in the stored message. */
export function isCarried<Input>(input: Input): input is Extract<Input, { messageId: string }> {
  return typeof input === 'object' && input !== null && 'messageId' in input;
}
