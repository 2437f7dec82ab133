import { z } from 'zod';
import { issuesOf, issuesText } from '../../../contracts/errors/issues';
import type { FunctionTool } from '../../../contracts/model-port/language-model';
import { toPortableSchema } from '../models/portable-schema';
import { toReplySchema } from '../models/replies/reply-schema';

export const DoneSchema = z.strictObject({
  // Models write members in this order, and judge by what they have written.
  evidence: z.string().optional().describe('words of the page that show it'),
  answer: z.string().describe('what was done and found'),
  success: z.boolean().describe('all of it is done'),
});

/** Ends a task. A caller's own tool of this name takes its place. */
export const DONE: FunctionTool = {
  name: 'done',
  description: 'Ends the task. Call it alone.',
  parameters: toPortableSchema(toReplySchema(DoneSchema)),
};

/** Why a call of `done` did not end the task. */
export function doneRefusal(args: Record<string, unknown>): string {
  const parsed = DoneSchema.safeParse(args);
  return parsed.success
    ? 'done ends the task and stood beside other calls: call it alone, after you have read their results.'
    : `done has wrong arguments: ${issuesText(issuesOf(parsed.error))}. Correct the call.`;
}
