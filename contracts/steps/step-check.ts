import { z } from 'zod';

/** What is known of a step before it is run. */
export const StepCheckSchema = z.object({
  stepIndex: z.int(),
  instruction: z.string(),
  /**
   * `ready`: it is understood, and where a page was given, that page has what it needs. `refused`: it is not understood, or
   * names a variable that nothing gives. `not-here`: it is understood, and the page does not have what it needs, or more than
   * one thing that fits. `model`: a model or a tool leads it, so that nothing is known before.
   */
  status: z.enum(['ready', 'refused', 'not-here', 'model']),
  /** The parts that the step was read as. */
  parts: z.array(z.string()),
  /** The commands that would run first on the page; none has. Absent without a page. */
  would: z.array(z.string()).optional(),
  /** Why it is refused or not here, with a proposal where there is one. */
  message: z.string().optional(),
});
export type StepCheck = z.infer<typeof StepCheckSchema>;

/** `isReady`: no step is refused, and none lacks what it needs on the page. */
export const StepChecksSchema = z.object({
  isReady: z.boolean(),
  /** The page that the steps were compared with. */
  url: z.string().optional(),
  steps: z.array(StepCheckSchema),
});
export type StepChecks = z.infer<typeof StepChecksSchema>;
