/** Why a step ends without its model: what it was to do once is done, or its key can't be used. */
export interface StepVerdict {
  isDone: boolean;
  reason: string;
}
