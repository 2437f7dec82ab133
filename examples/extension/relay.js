// The connection to the server, by the protocol of docs/relay.md.
import { forget, memoryId, once, recall } from './memory.js';
import { runTool } from './tools.js';

const PROTOCOL_PATH = '/v1/relay';
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
/** Close codes after which reconnecting is useless: replaced, invalid token, revoked. */
const isFinal = (code, reason) => (code === 1000 && reason === 'replaced') || code === 4401 || code === 4403;

let socket;
let pause = FIRST_PAUSE_MS;
/** There is one page, so one tool runs at a time. */
let queue = Promise.resolve();
let maxFrameBytes = 8 * 1024 * 1024;
let heartbeatMs = 20_000;
let heardAt = 0;

async function setState(text) {
  await chrome.storage.session.set({ state: text });
}

export async function connect() {
  const { server } = await chrome.storage.local.get('server');
  if (server === undefined) return;
  if (socket !== undefined) {
    // A silent connection is lost.
    if (performance.now() - heardAt < 3 * heartbeatMs) return;
    const silent = socket;
    socket = undefined;
    silent.close();
  }
  heardAt = performance.now();
  const opened = new WebSocket(new URL(PROTOCOL_PATH, server.api.replace(/^http/, 'ws')));
  socket = opened;
  opened.addEventListener('open', () => void register(server.sessionToken));
  opened.addEventListener('message', ({ data }) => void handle(JSON.parse(data)));
  opened.addEventListener('close', ({ code, reason }) => void lost(opened, code, reason));
}

async function register(sessionToken) {
  const client = `Surefoot relay extension ${chrome.runtime.getManifest().version}`;
  send({ type: 'register', sessionToken, memoryId: await memoryId(), client });
}

export async function disconnect() {
  const closing = socket;
  socket = undefined;
  closing?.close();
  await chrome.storage.local.remove('server');
  await setState('Not paired.');
}

async function lost(closed, code, reason) {
  if (closed !== socket) return;
  socket = undefined;
  if (isFinal(code, reason)) {
    if (code !== 1000) await chrome.storage.local.remove('server');
    return await setState(`The server has ended this: ${reason}.`);
  }
  await setState('Not connected; trying again.');
  setTimeout(() => void connect(), pause);
  pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

async function handle(message) {
  heardAt = performance.now();
  const { type, requestId } = message;
  if (type === 'ping') send({ type: 'pong' });
  if (type === 'result_kept') await forget(requestId);
  if (type === 'registered') {
    pause = FIRST_PAUSE_MS;
    ({ maxFrameBytes, heartbeatMs } = message);
    await setState('Connected.');
  }
  if (type === 'ask_result') {
    const known = await recall(requestId);
    if (known === undefined) send({ type: 'unknown_request', requestId });
    else if (known === null) send({ type: 'running', requestId });
    else answer(requestId, known);
  }
  if (type === 'execute_tool') {
    const inTurn = () => {
      const turn = queue.then(() => runTool(message));
      queue = turn.catch(() => {});
      return turn.catch((error) => ({ success: false, error: String(error?.message ?? error) }));
    };
    const result = await once(requestId, inTurn);
    if (result !== null) answer(requestId, result);
  }
}

function answer(requestId, result) {
  const frame = JSON.stringify({ type: 'tool_result', requestId, result });
  const bytes = new TextEncoder().encode(frame).length;
  if (bytes <= maxFrameBytes) return socket?.readyState === WebSocket.OPEN && socket.send(frame);
  const error = `It ran, but its answer of ${bytes} bytes is more than a frame may hold.`;
  send({ type: 'tool_result', requestId, result: { success: false, error } });
}
