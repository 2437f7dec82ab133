import { createChat } from '../../../../client/agent/conversation/chat';
import { toHistory } from '../../../../client/agent/conversation/history';
import { TokenTracker } from '../../../../client/agent/conversation/token-tracker';
import { isChat } from '../../../../contracts/agents/agent';
import type { ContentPart, LLMResponse, MessageItem } from '../../../../contracts/tasks/chat';
import type { StoredMessage } from '../../../../store/models/messages';

const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
const reply = (turn: number, change: object = {}): StoredMessage => ({
  kind: 'reply',
  stepIndex: 0,
  turn,
  responseId: `r${turn}`,
  previousResponseId: '',
  text: '',
  thoughts: '',
  calls: [],
  isCut: false,
  model: 'm',
  usage,
  windowTokens: 2,
  ...change,
});
const messages: StoredMessage[] = [
  { kind: 'task', stepIndex: 0, turn: 0, text: 'Open the shop' },
  reply(0, {
    text: 'I open it.',
    thoughts: 'Which one?',
    calls: [
      { callId: 'call_1', functionId: 'fc_1', name: 'navigate', args: '{"url":"a"}' },
      { callId: 'call_2', name: 'find', args: '{' },
    ],
  }),
  {
    kind: 'results',
    stepIndex: 0,
    turn: 1,
    results: [{ end: { callId: 'call_1', status: 'success' }, text: 'Opened.', pictures: 0 }],
    notes: [],
  },
  reply(1, { text: 'Done.' }),
];
const item = (role: MessageItem['role'], content: ContentPart, turnIdx: number) => ({ role, content, turnIdx });
const text = (words: string): ContentPart => ({ type: 'text', text: words });

describe('[S2.R2] the history of a conversation', () => {
  it('is what is kept, one part a message, with calls and their responses paired', () => {
    expect(toHistory({ summary: null, messages })).toEqual([
      item('user', text('Open the shop'), 1),
      item('assistant', { type: 'thinking', thinking: 'Which one?' }, 1),
      item('assistant', text('I open it.'), 1),
      item(
        'assistant',
        {
          type: 'function_call',
          functionCall: { id: 'fc_1', call_id: 'call_1', name: 'navigate', args: '{"url":"a"}' },
        },
        1,
      ),
      item('assistant', { type: 'function_call', functionCall: { call_id: 'call_2', name: 'find', args: '{' } }, 1),
      item(
        'user',
        {
          type: 'function_response',
          functionResponse: { id: 'fc_1', call_id: 'call_1', name: 'navigate', result: '{"output":"Opened."}' },
        },
        1,
      ),
      item('assistant', text('Done.'), 2),
    ]);
  });

  it('curated: without thoughts, and without calls that have no response', () => {
    const kinds = toHistory({ summary: null, messages }, true).map(
      ({ content }) => content.functionCall?.call_id ?? content.type,
    );
    expect(kinds).toEqual(['text', 'text', 'call_1', 'function_response', 'text']);
  });

  it('begins with the summary that stands for what is older', () => {
    const summary = {
      kind: 'summary' as const,
      text: 'Before: nothing.',
      covers: { stepIndex: 0, turn: 0, kind: 'reply' as const },
    };
    expect(toHistory({ summary, messages: [] })).toEqual([item('user', text('Before: nothing.'), 0)]);
  });
});

describe('[S2.50, S2.R2] the chat of an agent', () => {
  function aChat(events: { type: string; data?: unknown }[] = []) {
    const said: MessageItem[][] = [];
    const spoken: MessageItem[] = [];
    let prompt: string | undefined;
    let forgotten = 0;
    let model = 'a';
    const tracker = new TokenTracker(100, { warn: () => {} });
    const chat = createChat({
      history: (curated) => toHistory({ summary: null, messages }, curated),
      clear: () => void (forgotten += 1),
      add: (items) => void (items.length > 0 && said.push([...items])),
      async *sendTurn(message) {
        spoken.push(message);
        yield* events;
        await Promise.resolve();
      },
      systemPrompt: { get: () => prompt, set: (next) => void (prompt = next) },
      tracker,
      isRunning: () => false,
      model: {
        get: () => ({ model, tokenLimit: 100 }),
        set: (next) => {
          model = next;
          return true;
        },
      },
    });
    return { chat, said, spoken, forgotten: () => forgotten };
  }

  it('is one by its guard, and shows model, prompt, history and tokens', () => {
    const { chat } = aChat();
    expect(isChat(chat)).toBe(true);
    chat.setSystemPrompt('Be brief.');
    expect(chat.getSystemPrompt()).toBe('Be brief.');
    expect(chat.handleModelFallback('b')).toBe(true);
    expect(chat.getModelInfo()).toEqual({ model: 'b', tokenLimit: 100 });
    expect(chat.getHistory(true)).toHaveLength(5);
    expect(chat.getTokenUsage().tokenLimit).toBe(100);
    expect(chat.isProcessing()).toBe(false);
  });

  it('streams what the chat layer says of one turn; messages before the last go along as history', async () => {
    const start = { id: 'r', type: 'response.start', model: 'm' };
    const { chat, said, spoken } = aChat([
      { type: 'user.message', data: {} },
      { type: 'response.start', data: start },
      { type: 'turn.complete', data: {} },
    ]);
    const [before, now] = [item('user', text('before'), 1), item('user', text('now'), 2)];
    const got: LLMResponse[] = [];
    for await (const response of await chat.sendMessageStream([before, now], 'p')) got.push(response);
    expect(got).toEqual([start]);
    expect(said).toEqual([[before]]);
    expect(spoken).toEqual([now]);
  });

  it('throws the error that the agent reports', async () => {
    const { chat } = aChat([{ type: 'agent.error', data: { message: 'No model answers.' } }]);
    const stream = await chat.sendMessageStream(item('user', text('x'), 1), 'p');
    await expect(stream.next()).rejects.toThrow('No model answers.');
  });

  it('sets its history by forgetting what was said and remembering what is given', () => {
    const { chat, said, forgotten } = aChat();
    const given = [item('user', text('a'), 1), item('assistant', text('b'), 1)];
    chat.setHistory(given);
    chat.addHistory(given[0]!);
    chat.clearHistory();
    expect(said).toEqual([given, [given[0]]]);
    expect(forgotten()).toBe(2);
  });

  it('makes messages of chunks, whole ones and fragments', () => {
    const { chat } = aChat();
    const delta = {
      type: 'response.chunk.text.delta' as const,
      chunk_idx: 0,
      content: { type: 'text' as const, text_delta: 'He' },
    };
    const done = {
      type: 'response.chunk.function_call.done' as const,
      content: { type: 'function_call' as const, functionCall: { call_id: 'c', name: 'n', args: '{}' } },
    };
    expect(chat.convertFromChunkItems(delta, 'assistant')).toEqual({ role: 'assistant', content: text('He') });
    expect(chat.convertFromChunkItems(done, 'assistant')).toEqual({ role: 'assistant', content: done.content });
    const message = item('user', text('a'), 1);
    expect(chat.convertToProviderMessage(message)).toBe(message);
  });
});
