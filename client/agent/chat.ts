import type {
  ChunkItem,
  ContentPart,
  IChat,
  ITokenTracker,
  ITokenUsage,
  LLMResponse,
  MessageItem,
} from '../../contracts/chat';

/** What a chat needs of the agent that it belongs to. */
export interface ChatOfAgent {
  history(curated: boolean): MessageItem[];
  forget(): void;
  remember(items: readonly MessageItem[]): void;
  speak(message: MessageItem, promptId: string): AsyncGenerator<{ type: string; data?: unknown }>;
  systemPrompt: { get(): string | undefined; set(prompt: string): void };
  tracker: ITokenTracker;
  isRunning(): boolean;
  model: { get(): { model: string; tokenLimit: number }; set(model: string): boolean };
}

/**
 * S2.X IChat over the conversation that is kept in the store: what it shows is what a model would be told. Our messages
 * are provider-neutral already; the workers translate them for each vendor.
 */
export function createChat(agent: ChatOfAgent): IChat<MessageItem> {
  return {
    sendMessageStream: (message, promptId) => Promise.resolve(responsesOf(agent, [message].flat(), promptId)),
    convertToProviderMessage: (message) => message,
    convertFromChunkItems: (chunk, role) => ({ role, content: wholeOf(chunk) }),
    getHistory: (curated = false) => agent.history(curated),
    clearHistory: () => agent.forget(),
    addHistory: (item) => agent.remember([item]),
    setHistory(items) {
      agent.forget();
      agent.remember(items);
    },
    setSystemPrompt: (prompt) => agent.systemPrompt.set(prompt),
    getSystemPrompt: () => agent.systemPrompt.get(),
    getTokenUsage: (): ITokenUsage => agent.tracker.getUsage(),
    getTokenTracker: () => agent.tracker,
    isProcessing: () => agent.isRunning(),
    getModelInfo: () => agent.model.get(),
    handleModelFallback: (model) => agent.model.set(model),
  };
}

/** Of one model turn what the chat layer says; messages before the last one are history. */
async function* responsesOf(
  agent: ChatOfAgent,
  messages: readonly MessageItem[],
  promptId: string,
): AsyncGenerator<LLMResponse> {
  const last = messages.at(-1);
  if (last === undefined) return;
  agent.remember(messages.slice(0, -1));
  for await (const { type, data } of agent.speak(last, promptId)) {
    if (type.startsWith('response.')) yield data as LLMResponse;
    else if (type === 'agent.error') throw new Error((data as { message: string }).message);
  }
}

function wholeOf({ content }: ChunkItem): ContentPart {
  const { text_delta, thinking_delta, ...part } = content;
  return {
    ...part,
    ...(text_delta === undefined ? {} : { text: text_delta }),
    ...(thinking_delta === undefined ? {} : { thinking: thinking_delta }),
  };
}
