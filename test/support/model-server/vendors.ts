import { writeInPieces, type Play } from './server';

const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };

function partsOf(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 4));
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
}

/** A call as a vendor writes it: `args` is the text on the wire. */
export interface WireCall {
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

/** OpenAI's Responses as a stream: items with their parts, then the whole response. */
export function responsesAnswers(
  text: string,
  {
    calls = [],
    incomplete,
    thinking,
    items = [],
    model = 'gpt-5-2025-08-07',
  }: {
    calls?: WireCall[];
    /** Why it is incomplete: max_output_tokens, content_filter. */
    incomplete?: string;
    thinking?: { summary: string; encrypted: string };
    /** Further items of its output, as they stand. */
    items?: object[];
    model?: string;
  } = {},
): Play {
  return async (response) => {
    response.writeHead(200, SSE);
    const usage = {
      input_tokens: 900,
      input_tokens_details: { cached_tokens: 500 },
      output_tokens: 60,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 960,
    };
    const base = { id: 'resp_1', object: 'response', created_at: 1_790_000_000, model, error: null };
    const events: object[] = [{ type: 'response.created', response: { ...base, status: 'in_progress', output: [] } }];
    const output: object[] = [];
    const add = (item: object & { id: string }, between: object[], done: object): void => {
      const output_index = output.length;
      events.push({ type: 'response.output_item.added', output_index, item });
      events.push(...between.map((each) => ({ ...each, item_id: item.id, output_index })));
      events.push({ type: 'response.output_item.done', output_index, item: { ...item, ...done } });
      output.push({ ...item, ...done });
    };
    if (thinking !== undefined) {
      const { summary, encrypted: encrypted_content } = thinking;
      add(
        { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: '' } as { id: string },
        [
          { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { type: 'summary_text', text: '' } },
          ...partsOf(summary).map((delta) => ({
            type: 'response.reasoning_summary_text.delta',
            summary_index: 0,
            delta,
          })),
          {
            type: 'response.reasoning_summary_part.done',
            summary_index: 0,
            part: { type: 'summary_text', text: summary },
          },
        ],
        { summary: [{ type: 'summary_text', text: summary }], encrypted_content },
      );
    }
    if (text !== '') {
      const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
      const whole = { type: 'output_text', text, annotations: [], logprobs: [] };
      add(
        message,
        [
          { type: 'response.content_part.added', content_index: 0, part: { ...whole, text: '' } },
          ...partsOf(text).map((delta) => ({
            type: 'response.output_text.delta',
            content_index: 0,
            delta,
            logprobs: [],
          })),
          { type: 'response.output_text.done', content_index: 0, text, logprobs: [] },
        ],
        { status: 'completed', content: [whole] },
      );
    }
    for (const [index, { id: call_id, name, args }] of calls.entries()) {
      const call = { id: `fc_${index}`, type: 'function_call', call_id, name, arguments: '', status: 'in_progress' };
      add(
        call,
        partsOf(args).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
        { arguments: args, status: 'completed' },
      );
    }
    for (const item of items) add(item as { id: string }, [], {});
    const status = incomplete === undefined ? 'completed' : 'incomplete';
    const incomplete_details = incomplete === undefined ? null : { reason: incomplete };
    events.push({ type: `response.${status}`, response: { ...base, status, incomplete_details, output, usage } });
    const lines = events.map((event, sequence_number) => {
      const { type } = event as { type: string };
      return `event: ${type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`;
    });
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
