import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerStep } from './answer-step';
import { answerTask, type TaskAnswer } from './answer-task';
import { characterNamed, CHARACTERS, type Character } from './characters';
import type { ChatMessage } from './chat';

interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
  response_format?: object;
}

/** One request as it came, and its tokens. */
export interface HeardRequest {
  character: string;
  /** `instructions` is what is the same in each request: the system prompt, the tools and the schema of the answer. */
  tokens: { instructions: number; messages: number; answer: number };
  calls: string[];
}

export interface CharacterServer {
  /** For OPENAI_COMPATIBLE_BASE_URL. */
  url: string;
  heard: HeardRequest[];
  stop(): Promise<void>;
}

/** Counts the tokens of a text. */
export type Tokenizer = (text: string) => number;

/**
 * Serves the characters by OpenAI's chat completions as Ollama and vLLM do: the name of the model is the character's. The
 * usage that it reports is exact for the tokenizer. Each answer comes after `delayMs`.
 */
export async function startCharacterServer(
  countTokens: Tokenizer,
  { port = 0, delayMs = 0 }: { port?: number; delayMs?: number } = {},
): Promise<CharacterServer> {
  const heard: HeardRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, { heard, countTokens, delayMs }).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    heard,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { heard, countTokens, delayMs }: { heard: HeardRequest[]; countTokens: Tokenizer; delayMs: number },
): Promise<void> {
  // A server without slots.
  if (request.method !== 'POST') return void response.writeHead(404).end();
  const body = JSON.parse(await text(request)) as ChatRequest;
  if (delayMs > 0) await sleep(delayMs);
  const character = characterNamed(body.model);
  if (character === undefined) {
    const names = CHARACTERS.map(({ name }) => name).join(', ');
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `There is no model “${body.model}”; there are: ${names}.` } }));
    return;
  }
  const given = answerOf(character, body);
  const tokens = tokensOf(body, given, countTokens);
  heard.push({ character: character.name, tokens, calls: given.calls.map(({ name }) => name) });
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const chunk of chunksOf(body.model, given, tokens)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
}

function answerOf(character: Character, { messages, tools }: ChatRequest): TaskAnswer {
  if (tools !== undefined) return answerTask(character, messages, new Set(tools.map(({ function: { name } }) => name)));
  const [prompt, ...further] = messages.filter(({ role }) => role !== 'system').map(contentOf);
  if (prompt!.includes('# Findings\n')) return { text: JSON.stringify(JUDGEMENT), calls: [] };
  return { text: answerStep(character, prompt!, further.length > 0), calls: [] };
}

/** What each of them says of an investigation that it did not ask for. */
const JUDGEMENT = { summary: 'I see nothing more than the page shows.', focus: [], elements: [], confidence: 0.5 };

function contentOf({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text: part = '' }) => part).join('\n');
}

function tokensOf(
  { messages, tools = [], response_format }: ChatRequest,
  given: TaskAnswer,
  countTokens: Tokenizer,
): HeardRequest['tokens'] {
  const count = (value: unknown): number =>
    countTokens(typeof value === 'string' ? value : JSON.stringify(value ?? ''));
  const sent = messages.map((message) => ({
    isSystem: message.role === 'system',
    tokens: count(contentOf(message)) + (message.tool_calls === undefined ? 0 : count(message.tool_calls)),
  }));
  const sum = (isSystem: boolean): number =>
    sent.filter((each) => each.isSystem === isSystem).reduce((total, { tokens }) => total + tokens, 0);
  return {
    instructions: sum(true) + count(tools) + (response_format === undefined ? 0 : count(response_format)),
    messages: sum(false),
    answer: count(given.text) + (given.calls.length === 0 ? 0 : count(given.calls)),
  };
}

function chunksOf(model: string, { text: said, calls }: TaskAnswer, tokens: HeardRequest['tokens']): object[] {
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model };
  const choice = (delta: object, finish: string | null = null): object => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
  const input = tokens.instructions + tokens.messages;
  return [
    choice({ role: 'assistant', content: said }),
    ...calls.map(({ name, args }, index) =>
      choice({
        tool_calls: [
          { index, id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
        ],
      }),
    ),
    choice({}, calls.length === 0 ? 'stop' : 'tool_calls'),
    {
      ...base,
      choices: [],
      usage: { prompt_tokens: input, completion_tokens: tokens.answer, total_tokens: input + tokens.answer },
    },
  ];
}
