/** A message of OpenAI's chat completions, as far as a conversation of a task has it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: string | null | { type: string; text?: string }[];
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export function textOf(message: ChatMessage | undefined): string {
  const { content } = message ?? {};
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

/** What stands between the marks of a result. */
export function resultIn(text: string): string {
  return /<result (\w+)>\n([\s\S]*?)\n<\/result \1>/.exec(text)?.[2] ?? text;
}
