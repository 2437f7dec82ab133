import { z } from 'zod';

/**
 * What a session does with recipes: `off` neither uses nor learns them, `prefer` has the model take over where one does not
 * fit the page, `only` fails there and never calls a model.
 */
export const ReplayModeSchema = z.enum(['off', 'prefer', 'only']);
export type ReplayMode = z.infer<typeof ReplayModeSchema>;

/** In the details of the error of a step that a recipe could not do (`only`). */
export const REPLAY_DIVERGED = 'replay-diverged';
