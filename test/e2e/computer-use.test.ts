/**
 * A page that is one canvas, which a snapshot has nothing to say of, used by coordinates through the computer-use tools
 * of three vendors: each action is planned, journaled with its effect class, and run once.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { geminiAnswers } from '../support/model-server/gemini';
import { startModelServer, type ModelServer, type Play } from '../support/model-server/server';
import { anthropicAnswers, responsesAnswers } from '../support/model-server/vendors';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

/** A field of the canvas starts at 200, 100 and reports each click in it, and each drag. */
const PAGE = `<!doctype html><title>Map</title><canvas width="1000" height="600" style="position:absolute;left:0;top:0"></canvas>
<script>
const canvas = document.querySelector('canvas');
const report = (what) => fetch('/report', { method: 'POST', body: JSON.stringify(what) });
let from;
canvas.onmousedown = ({ clientX, clientY }) => (from = [clientX, clientY]);
canvas.onmouseup = ({ clientX, clientY }) => report({ from, to: [clientX, clientY] });
</script>`;

let stack: WholeStack;
let server: ModelServer;
let site: Server;
const reports: unknown[] = [];
beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      reports.push(JSON.parse(body));
      response.end();
    });
  }).listen(0, '127.0.0.1');
  [server] = await Promise.all([startModelServer(), once(site, 'listening')]);
  const env = {
    GEMINI_API_KEY: 'k',
    GEMINI_BASE_URL: `https://${server.host}`,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `https://${server.host}/v1`,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: `https://${server.host}/v1`,
    NODE_EXTRA_CA_CERTS: server.caFile,
  };
  stack = await startWholeStack(env, ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await server.stop();
  site.close();
}, 60_000);

const done = { success: true, answer: 'Rome is marked.' };
const gemini = (name: string, args: object): Play =>
  geminiAnswers({ parts: [{ functionCall: { id: name, name, args }, thoughtSignature: 'c2ln' }] });
let number = 0;
const openai = (action: object): Play => {
  const id = (number += 1);
  const call = { call_id: `call_${id}`, actions: [action], pending_safety_checks: [], status: 'completed' };
  return responsesAnswers('', { items: [{ id: `cu_${id}`, type: 'computer_call', ...call }] });
};
const openaiCall = (name: string, args: object): Play =>
  responsesAnswers('', { calls: [{ id: `call_${(number += 1)}`, name, args: JSON.stringify(args) }] });
const anthropic = (name: string, args: object): Play =>
  anthropicAnswers('', { calls: [{ id: `toolu_${(number += 1)}`, name, args: JSON.stringify(args) }] });

test.each<[string, (url: string) => Play[]]>([
  [
    'genai/gemini-2.5-computer-use-preview',
    (url) => [
      gemini('navigate', { url }),
      gemini('click_at', { x: 250, y: 250 }),
      gemini('drag_and_drop', { x: 250, y: 250, destination_x: 500, destination_y: 500 }),
      gemini('done', done),
    ],
  ],
  [
    'ai:openai/gpt-5.4',
    (url) => [
      openaiCall('navigate', { url }),
      openai({ type: 'click', button: 'left', x: 320, y: 200 }),
      openai({
        type: 'drag',
        path: [
          { x: 320, y: 200 },
          { x: 640, y: 400 },
        ],
      }),
      openaiCall('done', done),
    ],
  ],
  [
    'ai:anthropic/claude-sonnet-4-5',
    (url) => [
      anthropic('navigate', { url }),
      anthropic('computer', { action: 'left_click', coordinate: [320, 200] }),
      anthropic('computer', { action: 'left_click_drag', start_coordinate: [320, 200], coordinate: [640, 400] }),
      anthropic('done', done),
    ],
  ],
])(
  '%s marks a canvas by clicking and dragging',
  async (model, plays) => {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    reports.length = 0;
    server.play(...plays(url));
    const { sessionId } = await stack.client.start({
      steps: [{ task: 'Mark Rome on the map.', url }],
      config: { agent: { approvalMode: 'yolo', computerUse: true }, aiConfig: { model } },
    });
    const status = await endOf(stack, sessionId, 100_000);
    const { error } = await stack.client.get(sessionId);
    expect({ status, error }).toEqual({ status: 'COMPLETED', error: null });
    expect(reports).toEqual([
      { from: [320, 200], to: [320, 200] },
      { from: [320, 200], to: [640, 400] },
    ]);
    const effects = (await stack.engineStore.journal.ofSession(sessionId)).map(({ action, effect, status: how }) => [
      action,
      effect,
      how,
    ]);
    expect(effects).toEqual([
      ['OPEN_PAGE', 'idempotent', 'done'],
      ['CLICK_POINT', 'commit', 'done'],
      ['TAKE_SCREENSHOT', 'pure', 'done'],
      ['DRAG', 'commit', 'done'],
      ['TAKE_SCREENSHOT', 'pure', 'done'],
    ]);
    // The model has seen what came of each action.
    expect(JSON.stringify(server.heard.at(-1)!.body)).toMatch(/iVBORw0KGgo|\/9j\//);
  },
  120_000,
);

test('the computer-use tool has the size that the view was set to', async () => {
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  server.play(
    anthropic('navigate', { url }),
    anthropic('set_viewport', { width: 640, height: 400 }),
    anthropic('done', done),
  );
  const { sessionId } = await stack.client.start({
    steps: [{ task: 'Make the view as small as that of a watch.', url }],
    config: {
      agent: { approvalMode: 'yolo', computerUse: true },
      aiConfig: { model: 'ai:anthropic/claude-sonnet-4-5' },
    },
  });
  expect(await endOf(stack, sessionId, 100_000)).toBe('COMPLETED');
  const sizes = server.heard.slice(-3).map(({ body }) => {
    const { tools } = body as { tools: { name: string; display_width_px?: number; display_height_px?: number }[] };
    const { display_width_px: width, display_height_px: height } = tools.find(({ name }) => name === 'computer')!;
    return [width, height];
  });
  expect(sizes).toEqual([
    [1280, 800],
    [1280, 800],
    [640, 400],
  ]);
}, 120_000);
