import { z } from 'zod';
import { DurationSchema } from './schedule-duration';

/** A step that looks at its page again and again until what it says holds; the browser is given back between two looks. */
export const PageWaitSchema = z.strictObject({
  every: DurationSchema.meta({ description: 'How often the page is looked at', example: '30m' }),
  atMost: DurationSchema.meta({ description: 'Where it does not hold by then, the step fails', example: '14d' }),
});
export type PageWaitInput = z.infer<typeof PageWaitSchema>;

export interface PageWait {
  everyMs: number;
  atMostMs: number;
}

/** How far a wait has come, as lists and views of its session show it. */
export const PageWaitStateSchema = z.object({
  waitsFor: z.string().meta({ description: 'What it waits for, in the words of its step' }),
  looks: z.number().meta({ description: 'How often it has looked' }),
  nextLookAt: z.string(),
  endsAt: z.string().meta({ description: 'Where it does not hold by then, the step fails' }),
  seen: z.string().meta({ description: 'What the last look has seen' }),
});
export type PageWaitState = z.infer<typeof PageWaitStateSchema>;
