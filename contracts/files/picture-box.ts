import { z } from 'zod';

/** A part of a picture, in its pixels. */
export const PictureBoxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type PictureBox = z.infer<typeof PictureBoxSchema>;
