import { z } from 'zod';

/** More images of one message are refused. */
export const MAX_IMAGES = 8;
/** What every vendor's models read. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

/** Zod's own check needs `atob`, which Temporal's sandbox does not have. */
const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

/** An image of a message; `data` is base64. */
export const TaskImageSchema = z.strictObject({
  mediaType: z.enum(IMAGE_TYPES),
  data: z.string().regex(BASE64, 'expected base64'),
});
export type TaskImage = z.infer<typeof TaskImageSchema>;
