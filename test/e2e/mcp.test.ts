/**
 * `surefoot mcp` as MCP clients meet it: the SDK's own client starts the command as a process, or connects over HTTP, and
 * books through the shop on the whole product.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type CallToolResult, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { startMcpHttp } from '../../cli/mcp/http';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { eventually } from '../support/eventually';
import { demoRequest, endOf, ONE_OF_EACH, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const PROGRAM = join(__dirname, '..', '..', 'bin', 'surefoot.js');

let stack: WholeStack;
const connections: McpConnection[] = [];
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  for (const { client } of connections) await client.close();
  await stack.stop();
}, 60_000);

interface McpConnection {
  client: Client;
  kill(): void;
  /** The questions that the person at the client was shown. */
  questions: string[];
  call(name: string, args?: Record<string, unknown>, onProgress?: (line: string) => void): Promise<Answer>;
}

interface Answer {
  text: string;
  isError: boolean;
  data: Record<string, unknown>;
  content: CallToolResult['content'];
}

/** A client of its own server process; with `answer` it has elicitation, and answers so. */
async function connect(answer?: (question: string) => ElicitResult, args: string[] = []): Promise<McpConnection> {
  const questions: string[] = [];
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer === undefined ? {} : { elicitation: { form: {} } } },
  );
  if (answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params: { message } }) => {
      questions.push(message);
      return answer(message);
    });
  const env = { ...(process.env as Record<string, string>), SUREFOOT_HOME: stack.home };
  const command = { command: process.execPath, args: [PROGRAM, 'mcp', ...args], env, stderr: 'inherit' as const };
  const transport = new StdioClientTransport(command);
  await client.connect(transport);
  const connection: McpConnection = {
    client,
    questions,
    kill: () => void process.kill(transport.pid!, 'SIGKILL'),
    async call(name, given = {}, onProgress) {
      const result = (await client.callTool({ name, arguments: given }, undefined, {
        timeout: 100_000,
        ...(onProgress === undefined ? {} : { onprogress: ({ message = '' }) => onProgress(message) }),
      })) as CallToolResult;
      const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      return { text, isError: result.isError === true, data: result.structuredContent ?? {}, content: result.content };
    },
  };
  connections.push(connection);
  return connection;
}

const YES = (): ElicitResult => ({ action: 'accept', content: { decision: 'approve' } });

/** The demo as a task with one question: it signs in, fills a cart and orders, which waits for a person. */
function booking(run: string): Record<string, unknown> {
  const request = demoRequest(stack, run);
  const task = (request.steps as string[])
    .join('\n')
    .replace('then click "Checkout"', 'then open ${shop}/checkout')
    .replaceAll('${shop}', stack.shop);
  return { task, variables: request.variables, wait_seconds: 90 };
}

test('a client books through the shop with one approval, which the person at the client is asked', async () => {
  const { call, questions, client } = await connect(YES);
  const run = randomUUID();
  const progress: string[] = [];
  const { text, data, isError } = await call('start_session', booking(run), (line) => progress.push(line));
  expect({ isError, text }).toEqual({ isError: false, text: expect.stringContaining('COMPLETED') });
  expect(questions).toEqual([expect.stringContaining('Place order')]);
  expect(await stack.orders(run)).toHaveLength(1);
  expect(progress.join('\n')).toContain('Session completed');
  const id = data['session_id'] as string;
  const log = await stack.logOf(id);
  expect(logOrderProblems(log)).toEqual([]);
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  expect(tools).toContain('list_approvals');
  // The person answers in the client, so no model may.
  expect(tools).not.toContain('answer_approval');
  const results = await call('get_results', { session_id: id });
  expect(results.data).toMatchObject({ status: 'COMPLETED', answer: expect.any(String) });
  const listed = await call('list_sessions', { status: ['COMPLETED'] });
  expect(listed.text).toContain(id);
}, 150_000);

test('a server that is killed midway loses nothing: the next follows the session to one order', async () => {
  const run = randomUUID();
  const key = randomUUID();
  const first = await connect();
  const lines: string[] = [];
  const lost = first.call('start_session', { ...booking(run), key }, (line) => lines.push(line)).catch(() => 'lost');
  await eventually('the session has begun', () => lines.some((line) => line.includes('CLICK_ELEMENT')), 60_000);
  first.kill();
  expect(await lost).toBe('lost');

  const second = await connect();
  const again = await second.call('start_session', { ...booking(run), key });
  expect(again.text).toContain('started this session before');
  expect(again.data).toMatchObject({
    waits_for: 'approval',
    approvals: [{ question: expect.stringContaining('Place order') }],
  });
  expect(await stack.orders(run)).toEqual([]);
  const id = again.data['session_id'] as string;
  const [approval] = again.data['approvals'] as { approval_id: string }[];
  const answer = { approval_id: approval!.approval_id, decision: 'approve', key: randomUUID() };
  expect((await second.call('list_approvals', { session_id: id })).text).toContain('Place order');
  expect((await second.call('answer_approval', answer)).isError).toBe(false);
  expect((await second.call('answer_approval', answer)).isError).toBe(false);
  const end = await second.call('follow_session', { session_id: id, after: again.data['after'], wait_seconds: 90 });
  expect(end.data).toMatchObject({ status: 'COMPLETED', is_ended: true });
  expect(await stack.orders(run)).toHaveLength(1);
  expect(
    (await stack.client.list({ page: 1, pageSize: 100 })).sessions.filter((each) => each.sessionId === id),
  ).toHaveLength(1);
}, 200_000);

test('what a person rejects does not run, and the model gets the reason', async () => {
  const { call } = await connect(() => ({ action: 'accept', content: { decision: 'reject', reason: 'too dear' } }));
  const run = randomUUID();
  const { data } = await call('start_session', booking(run));
  expect(data).toMatchObject({ is_ended: true });
  expect(await stack.orders(run)).toEqual([]);
  const log = await stack.logOf(data['session_id'] as string);
  expect(log.some(({ facts }) => facts?.kind === 'result' && facts.summary === 'rejected by user: too dear')).toBe(
    true,
  );
}, 150_000);

test('sessions are controlled, and what the API refuses is an error with its sentence', async () => {
  const { call } = await connect();
  const steps = [`Open ${stack.shop}/parts/counter`, 'Wait 20 seconds'];
  const started = await call('start_session', { steps, wait_seconds: 0 });
  const id = started.data['session_id'] as string;
  await recordOf(stack, id, 'the wait', ({ type, stepIndex }) => type === 'COMMAND_STARTED' && stepIndex === 1);
  expect((await call('pause_session', { session_id: id })).isError).toBe(false);
  const paused = await call('follow_session', { session_id: id });
  expect(paused.data).toMatchObject({ waits_for: 'paused' });
  expect((await call('resume_session', { session_id: id })).isError).toBe(false);
  expect((await call('cancel_session', { session_id: id })).isError).toBe(false);
  expect(await endOf(stack, id)).toBe('CANCELLED');
  const late = await call('pause_session', { session_id: id });
  expect(late).toMatchObject({ isError: true, text: expect.stringContaining('CANCELLED') });
  const unknown = await call('show_session', { session_id: 'nobody' });
  expect(unknown).toMatchObject({ isError: true, text: expect.stringMatching(/nobody/) });
  const both = await call('start_session', { steps, task: 'Do it' });
  expect(both).toMatchObject({ isError: true, text: expect.stringContaining('either `steps` or `task`') });
  const long = await call('start_session', { steps: ['x'.repeat(1001)] });
  expect(long).toMatchObject({ isError: true, text: expect.stringContaining('steps[0]') });
});

test('data that was asked for by a schema comes back as data', async () => {
  const { call } = await connect();
  const properties = { name: { type: 'string' }, price: { type: 'number' } };
  const items = { type: 'object', properties, required: ['name', 'price'] };
  const result_schema = { type: 'array', items, maxItems: 3 };
  const steps = [`Open ${stack.shop}/catalogue`];
  const { data, text } = await call('start_session', { steps, result_schema, wait_seconds: 60 });
  expect(text).toContain('Result: [{');
  expect(data['result']).toEqual([
    { name: 'Alder Trail Shoe', price: 89 },
    { name: expect.any(String), price: expect.any(Number) },
    { name: expect.any(String), price: expect.any(Number) },
  ]);
  const results = await call('get_results', { session_id: data['session_id'] });
  expect(results.data['result']).toEqual(data['result']);
  const refused = await call('start_session', {
    steps,
    result_schema: { type: 'object', properties: { price: { type: 'x' } } },
  });
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringContaining('result.schema.properties.price.type'),
  });
});

test('results, pictures and files come as content that a client can show', async () => {
  const { call } = await connect();
  const steps = [`Open ${stack.shop}/parts/download`, 'Download "Download report"'];
  const { data } = await call('start_session', { steps });
  const id = data['session_id'] as string;
  const results = await call('get_results', { session_id: id });
  const [file] = results.data['files'] as { file_id: string; name: string }[];
  const got = await call('get_file', { session_id: id, file_id: file!.file_id });
  expect(got.content[1]).toMatchObject({ type: 'resource' });
  const picture = await call('get_screenshot', { session_id: id, size: 'small' });
  expect(picture.content[1]).toMatchObject({ type: 'image', mimeType: 'image/png' });
  expect(await call('get_file', { session_id: id, file_id: 'nothing' })).toMatchObject({ isError: true });
});

test('an agent drives a browser by itself, each call a step that is journaled and made once', async () => {
  const { call } = await connect();
  const url = `${stack.shop}/parts/counter`;
  const opened = await call('open_browser', { url, key: randomUUID() });
  expect(opened).toMatchObject({ isError: false, text: expect.stringContaining('Add one') });
  const session_id = opened.data['session_id'] as string;
  const found = await call('browser_find', { session_id, query: 'the button Add one' });
  const ref = /\b(?:f\d+)?e\d+\b/.exec(found.text)?.[0];
  const key = randomUUID();
  const click = { session_id, action: 'left_click', ref, key };
  const clicked = await call('browser_computer', click);
  expect({ text: clicked.text, isError: clicked.isError }).toEqual({
    text: expect.stringContaining('Add one'),
    isError: false,
  });
  // Its answer may have been lost: the same key gives the result of the first.
  expect(await call('browser_computer', click)).toEqual(clicked);
  const again = { session_id, step: clicked.data['step'] };
  expect(await call('browser_result', again)).toEqual(clicked);
  expect((await call('browser_get_page_text', { session_id })).text).toMatch(/\b1\b/);
  const shot = await call('browser_computer', { session_id, action: 'screenshot' });
  expect(shot.content[1]).toMatchObject({ type: 'image' });
  const wrong = await call('browser_computer', { session_id, action: 'left_click', ref: 'e9999' });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('e9999') });
  const invalid = await call('browser_navigate', { session_id });
  expect(invalid).toMatchObject({ isError: true, text: expect.stringContaining('url') });
  const elsewhere = await call('browser_navigate', { session_id, url: 'http://127.0.0.1:9/' });
  expect(elsewhere.text).toMatch(/waits for an approval[^]*answer_approval/);
  const [asked] = await stack.client.approvals(session_id);
  const approval_id = asked?.kind === 'approval' ? asked.approvalId : '';
  await call('answer_approval', { approval_id, decision: 'reject', reason: 'stay here' });
  const refused = await call('browser_result', { session_id, step: 7 });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('stay here') });
  await call('close_session', { session_id });
  expect(await endOf(stack, session_id)).toBe('COMPLETED');
  const log = await stack.logOf(session_id);
  expect(logOrderProblems(log)).toEqual([]);
  const clicks = log.filter(
    ({ type, data }) => type === 'COMMAND_COMPLETED' && data.command?.action === 'CLICK_ELEMENT',
  );
  expect(clicks).toHaveLength(1);
  expect(await call('browser_read_page', { session_id })).toMatchObject({ isError: true });
});

test('over HTTP a client with the token has the same tools, and nobody else has any', async () => {
  const token = 'a-token-of-this-test';
  const server = await startMcpHttp({
    findApi: () => ({ api: stack.api, token: undefined }),
    approvalMode: 'default',
    port: 0,
    token,
  });
  try {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }) as Transport);
    const progress: string[] = [];
    const steps = [`Open ${stack.shop}/parts/counter`, 'Save the Count as count'];
    const result = await client.callTool({ name: 'start_session', arguments: { steps } }, undefined, {
      onprogress: ({ message = '' }) => progress.push(message),
    });
    expect(result.structuredContent).toMatchObject({ status: 'COMPLETED', variables: { count: expect.any(String) } });
    expect(progress.join('\n')).toContain('Session completed');
    await client.close();
    const send = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(server.url, { method: 'POST', headers, body: '{}' })).status;
    const authorization = `Bearer ${token}`;
    expect(await send({})).toBe(401);
    expect(await send({ authorization: 'Bearer another-token-of-somebody' })).toBe(401);
    expect(await send({ authorization, origin: 'https://evil.example' })).toBe(403);
    expect(await send({ authorization, 'mcp-session-id': randomUUID() })).toBe(404);
    const rebound = await new Promise<number | undefined>((resolve, reject) =>
      request(server.url, { method: 'POST', headers: { authorization, host: 'evil.example' } })
        .once('response', ({ statusCode }) => resolve(statusCode))
        .once('error', reject)
        .end(),
    );
    expect(rebound).toBe(403);
  } finally {
    await server.close();
  }
});

test('without an API each call is an error that says how to start one', async () => {
  const { call } = await connect(undefined, ['--api', 'http://127.0.0.1:9']);
  const answer = await call('list_sessions');
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('surefoot dev') });
});
