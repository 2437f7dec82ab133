import { writeInPieces, type Play } from './server';

const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };

function partsOf(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 4));
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
}

/** A call as a vendor writes it: `args` is the text on the wire. */
interface WireCall {
  id: string;
  name: string;
  args: string;
}

/** OpenAI's chat completions as a stream, as Ollama and vLLM send it as well. */
export function openaiAnswers(
  text: string,
  {
    finish = undefined as string | undefined,
    toolCall = undefined as object | undefined,
    calls = toolCall === undefined ? [] : [{ id: 'call_1', name: 'answer', args: JSON.stringify(toolCall) }],
  }: { finish?: string | undefined; toolCall?: object | undefined; calls?: WireCall[] } = {},
): Play {
  return async (response) => {
    response.writeHead(200, SSE);
    const base = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'gpt-4.1-2025-04-14',
    };
    const choice = (delta: object, finish_reason: string | null = null) => ({
      ...base,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    const chunks = [
      choice({ role: 'assistant', content: '' }),
      ...partsOf(text).map((content) => choice({ content })),
      // Its arguments come in pieces, and the calls in turn.
      ...calls.flatMap(({ id, name, args }, index) => [
        choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...partsOf(args).map((part) => choice({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      choice({}, finish ?? (calls.length === 0 ? 'stop' : 'tool_calls')),
      {
        ...base,
        choices: [],
        usage: {
          prompt_tokens: 900,
          completion_tokens: 60,
          total_tokens: 960,
          prompt_tokens_details: { cached_tokens: 500 },
          completion_tokens_details: { reasoning_tokens: 0 },
        },
      },
    ];
    const lines = [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'];
    await writeInPieces(response, lines.join(''), 11);
    response.end();
  };
}

/** Anthropic's messages as a stream. */
export function anthropicAnswers(
  text: string,
  {
    calls = [],
    stop = calls.length === 0 ? 'end_turn' : 'tool_use',
    thinking,
  }: { stop?: string; calls?: WireCall[]; thinking?: { text: string; signature: string } } = {},
): Play {
  return async (response) => {
    response.writeHead(200, SSE);
    const events: [string, object][] = [
      [
        'message_start',
        {
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'claude-sonnet-4-5-20250929',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: {
              input_tokens: 400,
              cache_creation_input_tokens: 0,
              cache_read_input_tokens: 500,
              output_tokens: 1,
            },
          },
        },
      ],
      ...(thinking === undefined ? [] : thought(thinking)),
      ['content_block_start', { index: 1, content_block: { type: 'text', text: '' } }],
      ['ping', {}],
      ...partsOf(text).map((part): [string, object] => [
        'content_block_delta',
        { index: 1, delta: { type: 'text_delta', text: part } },
      ]),
      ['content_block_stop', { index: 1 }],
      ...calls.flatMap(({ id, name, args }, at): [string, object][] => [
        ['content_block_start', { index: at + 2, content_block: { type: 'tool_use', id, name, input: {} } }],
        ...partsOf(args).map((part): [string, object] => [
          'content_block_delta',
          { index: at + 2, delta: { type: 'input_json_delta', partial_json: part } },
        ]),
        ['content_block_stop', { index: at + 2 }],
      ]),
      ['message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 60 } }],
      ['message_stop', {}],
    ];
    const lines = events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    await writeInPieces(response, lines.join(''), 11);
    response.end();
  };
}

function thought({ text, signature }: { text: string; signature: string }): [string, object][] {
  return [
    ['content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }],
    ['content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: text } }],
    ['content_block_delta', { index: 0, delta: { type: 'signature_delta', signature } }],
    ['content_block_stop', { index: 0 }],
  ];
}
