import { z } from 'zod';

/** What a model would have been sent and said: a turn is all that it does on a page that it has seen. */
export const ConversationSchema = z.object({
  tools: z.string(),
  turns: z.array(z.object({ calls: z.array(z.string()), answers: z.array(z.string()) })),
});
export type Conversation = z.infer<typeof ConversationSchema>;

/** Counts as chat completions do: each turn is sent the tools, and all calls and answers before it. */
export function conversationTokens({ tools, turns }: Conversation, countTokens: (text: string) => number): number {
  const sum = (texts: readonly string[]): number => texts.reduce((total, each) => total + countTokens(each), 0);
  let [sent, total] = [countTokens(tools), 0];
  for (const { calls, answers } of turns) {
    const said = sum(calls);
    total += sent + said;
    sent += said + sum(answers);
  }
  return total;
}
