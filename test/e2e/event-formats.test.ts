/** A task led by a model that streams, with approvals, followed in every format at once while it runs. */
import { followAs } from '../../service/events/follow-format';
import { followFrames } from '../../client/http/event-client';
import { encodeAll, type EventFormat } from '../../contracts/events/formats/format';
import { FORMATS, FORMAT_NAMES } from '../../contracts/events/formats/formats';
import type { LogRecord } from '../../contracts/events/log';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { payloadProblems } from '../../bench/log-checks/payloads';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { eventually } from '../support/eventually';
import { geminiAnswers } from '../support/model-server/gemini';
import { startModelServer, vertexAt, type ModelServer } from '../support/model-server/server';
import { decide } from '../support/until-taken';
import { ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  stack = await startWholeStack(vertexAt(server), ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await server.stop();
}, 60_000);

const calls = (...named: [name: string, args: object][]) =>
  named.map(([name, args]) => ({ functionCall: { name, args } }));

async function decideOn(sessionId: string, toolName: string, answer: Parameters<typeof decide>[2]): Promise<void> {
  const question = await eventually(`the question about ${toolName}`, async () =>
    (await stack.client.approvals(sessionId)).find((one) => one.kind === 'approval' && one.toolName === toolName),
  );
  await decide(stack, question as { approvalId: string }, answer);
}

const framesIn = (log: readonly LogRecord[]) => (format: (typeof FORMAT_NAMES)[number]) =>
  encodeAll(FORMATS[format] as EventFormat<unknown, { type: string; data: unknown }>, log);

test('after an edited approval and a rejection every viewer has the fold of the final log', async () => {
  const [wrong, right] = [`${stack.shop}/nowhere`, `${stack.shop}/login?run=formats`];
  server.play(
    geminiAnswers({
      text: 'I open the shop and read it.',
      parts: calls(['navigate', { url: wrong }], ['get_page_text', {}]),
    }),
    geminiAnswers({ text: 'The shop asks to sign in.' }),
  );
  const { sessionId } = await stack.client.start({
    steps: [{ task: 'Open the shop' }],
    config: {
      agent: { approvalMode: 'always' },
      executorConfig: { allowedOrigins: [stack.shop], allowPrivateAddresses: true },
    },
  });
  const viewers = FORMAT_NAMES.map(async (format) => {
    const wire = Array.fromAsync(followFrames(sessionId, format, { api: stack.api, retryMs: 100 }));
    return { format, wire: await wire, inProcess: await Array.fromAsync(followAs(stack.client, sessionId, format)) };
  });
  await decideOn(sessionId, 'navigate', { outcome: ToolConfirmationOutcome.ModifyWithEditor, args: { url: right } });
  await decideOn(sessionId, 'get_page_text', { outcome: ToolConfirmationOutcome.Cancel, reason: 'not this page' });

  const log = await stack.logOf(sessionId, 110_000);
  expect([...logOrderProblems(log), ...payloadProblems(log)]).toEqual([]);
  const framesOf = framesIn(log);
  for (const { format, wire, inProcess } of await Promise.all(viewers)) {
    expect([format, inProcess]).toEqual([format, framesOf(format)]);
    expect([format, JSON.parse(JSON.stringify(wire))]).toEqual([format, JSON.parse(JSON.stringify(framesOf(format)))]);
  }

  const execution = framesOf('execution').map(({ frame }) => frame);
  const text = execution.flatMap(({ type, data }) =>
    type === 'token_delta' ? [(data as { content: string }).content] : [],
  );
  expect(text.join('')).toBe('I open the shop and read it.The shop asks to sign in.');
  expect(execution.filter(({ type }) => type !== 'token_delta')).toMatchObject([
    { type: 'approval_required', data: { tool_name: 'navigate', arguments: { url: wrong } } },
    { type: 'tool_call', data: { name: 'navigate', arguments: { url: right } } },
    { type: 'tool_result', data: { name: 'navigate' } },
    { type: 'approval_required', data: { tool_name: 'get_page_text' } },
    { type: 'tool_result', data: { name: 'get_page_text', summary: expect.stringMatching(/^rejected by user/) } },
    { type: 'iteration_complete', data: { iteration: 1, tokens: 1280 } },
    { type: 'iteration_complete', data: { iteration: 2, tokens: 1280 } },
    { type: 'done', data: { status: 'completed', total_tokens: 2560, total_credits: '0.112' } },
  ]);
  const steps = framesOf('steps').flatMap(({ frame }) => (frame.type === 'step' ? [frame.data] : []));
  expect(steps).toMatchObject([
    { step: 1, status: 'thinking' },
    { step: 1, status: 'tool_use', toolName: 'navigate', toolInput: { url: right } },
    { step: 1, status: 'tool_result', toolName: 'navigate' },
    { step: 1, status: 'tool_result', toolName: 'get_page_text' },
    { step: 2, status: 'thinking' },
    { step: 2, status: 'complete', text: 'The shop asks to sign in.' },
  ]);
  const agent = framesOf('agent').map(({ frame }) => frame.type);
  expect(agent.filter((type) => type !== 'response.chunk.text.delta')).toEqual([
    'user.message',
    'response.start',
    'response.chunk.text.done',
    'response.chunk.function_call.done',
    'response.chunk.function_call.done',
    'response.complete',
    'tool.confirmation',
    'tool.call.execution.start',
    'tool.call.execution.done',
    'tool.confirmation',
    'tool.call.execution.done',
    'turn.complete',
    'response.start',
    'response.chunk.text.done',
    'response.complete',
    'turn.complete',
  ]);
}, 180_000);
