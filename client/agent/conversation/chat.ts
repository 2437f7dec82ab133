import type {
  ChunkItem,
  ContentPart,
  IChat,
  ITokenTracker,
  ITokenUsage,
  LLMResponse,
  MessageItem,
} from '../../../contracts/tasks/chat';

/** What a chat needs of its agent. */
export interface ChatBackend {
  history(curated: boolean): MessageItem[];
  clear(): void;
  add(items: readonly MessageItem[]): void;
  sendTurn(message: MessageItem, promptId: string): AsyncGenerator<{ type: string; data?: unknown }>;
  systemPrompt: { get(): string | undefined; set(prompt: string): void };
  tracker: ITokenTracker;
  isRunning(): boolean;
  model: { get(): { model: string; tokenLimit: number }; set(model: string): boolean };
}

/**
 * Creates S2.X IChat on a stored conversation; its history is what the model gets. Messages are provider-neutral: the
 * workers translate them for each vendor.
 */
export function createChat(agent: ChatBackend): IChat<MessageItem> {
  return {
    sendMessageStream: (message, promptId) => Promise.resolve(streamResponses(agent, [message].flat(), promptId)),
    convertToProviderMessage: (message) => message,
    convertFromChunkItems: (chunk, role) => ({ role, content: toContentPart(chunk) }),
    getHistory: (curated = false) => agent.history(curated),
    clearHistory: () => agent.clear(),
    addHistory: (item) => agent.add([item]),
    setHistory(items) {
      agent.clear();
      agent.add(items);
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

/** Sends the last message and streams the responses of one model turn; the messages before it become history. */
async function* streamResponses(
  agent: ChatBackend,
  messages: readonly MessageItem[],
  promptId: string,
): AsyncGenerator<LLMResponse> {
  const last = messages.at(-1);
  if (last === undefined) return;
  agent.add(messages.slice(0, -1));
  for await (const { type, data } of agent.sendTurn(last, promptId)) {
    if (type.startsWith('response.')) yield data as LLMResponse;
    else if (type === 'agent.error') throw new Error((data as { message: string }).message);
  }
}

function toContentPart({ content }: ChunkItem): ContentPart {
  const { text_delta, thinking_delta, ...part } = content;
  return {
    ...part,
    ...(text_delta === undefined ? {} : { text: text_delta }),
    ...(thinking_delta === undefined ? {} : { thinking: thinking_delta }),
  };
}
