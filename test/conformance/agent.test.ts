/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import {
  isAgent,
  isChat,
  type AllConfig,
  type EventHandler,
  type IAgent,
  type IAgentConfig,
  type IAgentFactory,
  type IAgentStatus,
  type PartialAgentConfig,
} from '../../contracts/agents/agent';
import type { AgentEvent } from '../../contracts/agents/agent-event';
import type * as chat from '../../contracts/tasks/chat';
import {
  ContentPartSchema,
  LogLevel as NumericLogLevel,
  MessageItemSchema,
  type IChat,
  type IChatConfig,
  type ILogger,
  type ITokenUsage,
  type LogLevel,
  type MessageItem,
} from '../../contracts/tasks/chat';
import { LogLevel as NamedLogLevel } from '../../contracts/modules/module-config';
import type { IToolScheduler, IToolSchedulerConfig } from '../../contracts/tools/tool-call';
import type { ITool } from '../../contracts/tools/tool';
import { faultsOf, proveSame, type Same } from './prove';

test('[S2.42, S2.R18] AllConfig has the members of the contract, without tools and declarations', () => {
  expect(
    proveSame<
      AllConfig,
      {
        agentConfig: IAgentConfig;
        toolSchedulerConfig: Omit<IToolSchedulerConfig, 'tools'>;
        chatConfig: Omit<IChatConfig, 'toolDeclarations'>;
      }
    >(true),
  ).toBe(true);
});

test('[S2.43] IAgentConfig has the members of the contract, model and workingDirectory alone required', () => {
  expect(
    proveSame<
      IAgentConfig,
      {
        model: string;
        workingDirectory: string;
        apiKey?: string | undefined;
        sessionId?: string | undefined;
        maxHistorySize?: number | undefined;
        maxHistoryTokens?: number | undefined;
        debugMode?: boolean | undefined;
        logger?: ILogger | undefined;
        logLevel?: LogLevel | undefined;
      }
    >(true),
  ).toBe(true);
});

test('[S2.44] IAgentStatus has the members of the contract', () => {
  expect(
    proveSame<
      IAgentStatus,
      {
        isRunning: boolean;
        currentTurn: number;
        historySize: number;
        config: IAgentConfig;
        lastUpdateTime: number;
        tokenUsage: ITokenUsage;
        modelInfo: { model: string; tokenLimit: number };
      }
    >(true),
  ).toBe(true);
});

test('[S2.45] EventHandler takes one event', () => {
  expect(proveSame<EventHandler, (event: AgentEvent) => void>(true)).toBe(true);
});

test('[S2.46] IAgent has the methods of the contract', () => {
  expect(
    proveSame<
      IAgent,
      {
        process(userInput: string, sessionId: string, abortSignal: AbortSignal): AsyncGenerator<AgentEvent>;
        processOneTurn(
          sessionId: string,
          chatMessage: MessageItem,
          abortSignal: AbortSignal,
        ): AsyncGenerator<AgentEvent>;
        getChat(): IChat<any>;
        getToolList(): ITool[];
        getTool(toolName: string): ITool | undefined;
        registerTool(tool: ITool): void;
        removeTool(toolName: string): boolean;
        getToolScheduler(): IToolScheduler;
        getTokenUsage(): ITokenUsage;
        clearHistory(): void;
        setSystemPrompt(systemPrompt: string): void;
        getSystemPrompt(): string | undefined;
        getStatus(): IAgentStatus;
        onEvent(id: string, handler: EventHandler): void;
        offEvent(id: string): void;
      }
    >(true),
  ).toBe(true);
});

test('[S2.47] IAgentFactory has the methods of the contract', () => {
  expect(
    proveSame<
      IAgentFactory,
      {
        createAgent(config: IAgentConfig): Promise<IAgent>;
        createSimpleAgent(model: string, workingDirectory: string, systemPrompt?: string): Promise<IAgent>;
      }
    >(true),
  ).toBe(true);
});

test('[S2.48] PartialAgentConfig needs model and workingDirectory and nothing else', () => {
  expect(
    proveSame<PartialAgentConfig, Partial<IAgentConfig> & Pick<IAgentConfig, 'model' | 'workingDirectory'>>(true),
  ).toBe(true);
  const least: PartialAgentConfig = { model: 'rules', workingDirectory: '.' };
  expect(Object.keys(least)).toEqual(['model', 'workingDirectory']);
});

const withMethods = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, () => {}]));

const GUARDS = [
  {
    id: 'S2.49',
    guard: isAgent,
    names: [
      [
        'process',
        'processOneTurn',
        'getChat',
        'getToolList',
        'getTool',
        'registerTool',
        'removeTool',
        'getToolScheduler',
      ],
      ['getTokenUsage', 'clearHistory', 'setSystemPrompt', 'getSystemPrompt', 'getStatus', 'onEvent', 'offEvent'],
    ].flat(),
    needed: ['process', 'processOneTurn', 'getChat', 'getToolScheduler', 'getStatus', 'onEvent'],
  },
  {
    id: 'S2.50',
    guard: isChat,
    names: [
      [
        'sendMessageStream',
        'convertToProviderMessage',
        'convertFromChunkItems',
        'getHistory',
        'clearHistory',
        'addHistory',
      ],
      ['setHistory', 'setSystemPrompt', 'getSystemPrompt', 'getTokenUsage', 'getTokenTracker', 'isProcessing'],
      ['getModelInfo', 'handleModelFallback'],
    ].flat(),
    needed: ['sendMessageStream', 'convertFromChunkItems', 'getHistory', 'addHistory'],
  },
];

function faultsOfGuard({ guard, names, needed }: (typeof GUARDS)[number]): string[] {
  const whole = withMethods(names);
  const others = [undefined, null, 7, 'agent', [], {}, () => {}].filter((other) => guard(other));
  const lacking = needed.filter((name) => guard({ ...whole, [name]: undefined }) || guard({ ...whole, [name]: 7 }));
  return [...(guard(whole) ? [] : ['the whole is refused']), ...others.map(String), ...lacking];
}

test('[S2.49] isAgent takes what has the methods of an agent, and nothing that lacks a required one', () => {
  expect(proveSame<typeof isAgent, (obj: unknown) => obj is IAgent>(true)).toBe(true);
  expect(faultsOfGuard(GUARDS[0]!)).toEqual([]);
});

test('[S2.50] isChat takes what has the methods of a chat, and nothing that lacks a required one', () => {
  expect(proveSame<typeof isChat, (obj: unknown) => obj is IChat<any>>(true)).toBe(true);
  expect(faultsOfGuard(GUARDS[1]!)).toEqual([]);
});

test('[X.A2] the log levels of S1 are names and those of S2 numbers, in two enums', () => {
  expect(NumericLogLevel).toMatchObject({ NONE: 0, ERROR: 1, WARN: 2, INFO: 3, DEBUG: 4 });
  expect(NamedLogLevel).toEqual({ DEBUG: 'DEBUG', INFO: 'INFO', WARN: 'WARN', ERROR: 'ERROR' });
  expect(proveSame<Same<NamedLogLevel, LogLevel>, false>(true)).toBe(true);
});

/** The names that S2 takes over from the chat layer, each as the type that it is there. */
interface OfTheChatLayer {
  ContentPart: chat.ContentPart;
  MessageItem: chat.MessageItem;
  FunctionCallStr: chat.FunctionCallStr;
  LLMStart: chat.LLMStart;
  LLMChunk: chat.LLMChunk;
  LLMChunkTextDelta: chat.LLMChunkTextDelta;
  LLMChunkTextDone: chat.LLMChunkTextDone;
  LLMChunkThinking: chat.LLMChunkThinking;
  LLMFunctionCallDone: chat.LLMFunctionCallDone;
  LLMFunctionCallDelta: chat.LLMFunctionCallDelta;
  ChunkItem: chat.ChunkItem;
  LLMComplete: chat.LLMComplete;
  LLMResponse: chat.LLMResponse;
  ToolDeclaration: chat.ToolDeclaration;
  IChatConfig: chat.IChatConfig;
  IChat: chat.IChat<any>;
  ITokenUsage: chat.ITokenUsage;
  ITokenTracker: chat.ITokenTracker;
}

test('[S2.R2] the 18 names of the chat layer are there, and its events are the union of their kinds', () => {
  expect(
    proveSame<
      OfTheChatLayer['LLMResponse'],
      | OfTheChatLayer['LLMStart']
      | OfTheChatLayer['LLMChunk']
      | OfTheChatLayer['ChunkItem']
      | OfTheChatLayer['LLMComplete']
    >(true),
  ).toBe(true);
  expect(
    proveSame<
      OfTheChatLayer['ChunkItem'],
      | OfTheChatLayer['LLMChunkTextDelta']
      | OfTheChatLayer['LLMChunkTextDone']
      | OfTheChatLayer['LLMChunkThinking']
      | OfTheChatLayer['LLMFunctionCallDelta']
      | OfTheChatLayer['LLMFunctionCallDone']
    >(true),
  ).toBe(true);
  expect(
    proveSame<
      OfTheChatLayer['LLMResponse']['type'],
      | 'response.start'
      | 'response.chunk.added'
      | 'response.chunk.done'
      | 'response.chunk.text.delta'
      | 'response.chunk.text.done'
      | 'response.chunk.thinking.delta'
      | 'response.chunk.thinking.done'
      | 'response.chunk.function_call.delta'
      | 'response.chunk.function_call.done'
      | 'response.complete'
      | 'response.incomplete'
      | 'response.failed'
    >(true),
  ).toBe(true);
});

test('parts and messages of the chat layer are read as S2 uses them', () => {
  const part = {
    type: 'function_call',
    text: 'a',
    text_delta: 'a',
    thinking: 't',
    thinking_delta: 't',
    data: 'AA==',
    mimeType: 'image/png',
    functionCall: { id: 'fc_1', call_id: 'call_1', name: 'n', args: '{}' },
    functionResponse: { id: 'fc_1', call_id: 'call_1', name: 'n', result: '{}' },
    metadata: {},
  };
  const optional = [...Object.keys(part).filter((name) => name !== 'type'), 'functionCall.id', 'functionResponse.id'];
  expect(faultsOf(ContentPartSchema, part, optional)).toEqual([]);
  const message = { role: 'user', content: { type: 'text', text: 'a' }, turnIdx: 1 };
  expect(faultsOf(MessageItemSchema, message, ['turnIdx', 'content.text'])).toEqual([]);
});
