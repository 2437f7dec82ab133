import { z } from 'zod';

const TabSchema = z.object({ title: z.string(), url: z.string(), isActive: z.boolean() });

/** The page of a running session as it is now, secrets masked as in screenshots. Sizes are CSS pixels. */
export const LiveFrameSchema = z.object({
  number: z.number(),
  /** A JPEG as base64. */
  image: z.string(),
  width: z.number(),
  height: z.number(),
  tabs: z.array(TabSchema),
});
export type LiveFrame = z.infer<typeof LiveFrameSchema>;

/**
 * What a viewer learns: another frame; that the page has not changed, or can't be shown now, and for how long no worker has
 * seen it; or that the session has no browser now.
 */
export const LiveViewSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('frame'), frame: LiveFrameSchema }),
  z.object({ state: z.literal('unchanged'), unseenForMs: z.number().nullable() }),
  z.object({ state: z.literal('no-browser') }),
]);
export type LiveView = z.infer<typeof LiveViewSchema>;
