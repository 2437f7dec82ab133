import { z } from 'zod';

/** What one trial of a model has shown, as `surefoot doctor --model` prints it: a line, with what to do unless it is good. */
export const ModelCheckSchema = z.object({
  /** What was tried. */
  name: z.string(),
  health: z.enum(['good', 'poor', 'bad']),
  message: z.string(),
});
export type ModelCheck = z.infer<typeof ModelCheckSchema>;
