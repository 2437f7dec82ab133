import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer, type RawData } from 'ws';

/**
 * Runs a Firefox of the system for Playwright, which talks to it over WebDriver BiDi. Playwright is newer than many a
 * Firefox and sets what it emulates in each context; of that, what this Firefox does not know is not set.
 */
const OPTIONAL = /"method":"emulation\.set(?:MediaFeatures|ScreenSettings|ScreenOrientation)Override"/;
const LISTENING = /^WebDriver BiDi listening on (ws:\/\/.*)$/;

const [program = '', ...args] = process.argv.slice(2);
const firefox = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
firefox.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
firefox.once('exit', (code) => process.exit(code ?? 1));
createInterface(firefox.stderr).on('line', (line) => {
  const [, address] = LISTENING.exec(line) ?? [];
  if (address === undefined) console.error(line);
  else relayTo(address);
});

/** Lets one client in: Firefox has one session. */
function relayTo(address: string): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, maxPayload: 0 });
  server.once('listening', () => {
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  server.once('connection', (client, { url = '' }) => {
    server.close();
    relay(client, new WebSocket(address + url, { perMessageDeflate: false, maxPayload: 0 }));
  });
}

function relay(client: WebSocket, upstream: WebSocket): void {
  const optional = new Set<number>();
  const early: string[] = [];
  const toFirefox = (text: string): void =>
    upstream.readyState === WebSocket.OPEN ? upstream.send(text) : void early.push(text);
  client.on('message', (data: RawData) => {
    const text = textOf(data);
    if (OPTIONAL.test(text)) optional.add((JSON.parse(text) as { id: number }).id);
    toFirefox(text);
  });
  upstream.on('open', () => early.splice(0).forEach(toFirefox));
  upstream.on('message', (data: RawData) => {
    const text = textOf(data);
    client.send(optional.size === 0 ? text : answerOf(text, optional));
  });
  client.on('close', () => upstream.close());
  upstream.on('close', () => client.close());
  for (const socket of [client, upstream]) socket.on('error', () => socket.terminate());
}

/** As `ws` gives what arrives, unless it is asked for something else. */
function textOf(data: RawData): string {
  return (data as Buffer).toString();
}

function answerOf(text: string, optional: Set<number>): string {
  const { id, type, error } = JSON.parse(text) as { id?: number; type?: string; error?: string };
  if (id === undefined || !optional.delete(id)) return text;
  return type === 'error' && error === 'unknown command' ? JSON.stringify({ type: 'success', id, result: {} }) : text;
}
