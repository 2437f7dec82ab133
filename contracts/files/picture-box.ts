import { z } from 'zod';

/** A part of a picture, in its pixels. */
export const PictureBoxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type PictureBox = z.infer<typeof PictureBoxSchema>;

/** The picture of the page that a command has left, and where on it was what it acted on. */
export const PictureBeforeSchema = z.object({ id: z.string(), target: PictureBoxSchema });
export type PictureBefore = z.infer<typeof PictureBeforeSchema>;
