import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from './certificate';
import { refusalOf } from './references';

/** A request as it came over the wire. */
export interface Heard {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
  /** True once the caller has closed the connection before it had the whole answer. */
  isAbandoned: boolean;
}

export type Play = (response: ServerResponse, heard: Heard) => void | Promise<void>;

/**
 * A server over TLS that plays vendors of models: the requests are real, the answers are scripted. What a vendor's
 * reference does not know, or refuses, is refused here in the vendor's own form.
 */
export interface ModelServer {
  /** `localhost:port`. */
  host: string;
  /** File with its certificate, for NODE_EXTRA_CA_CERTS of another process. */
  caFile: string;
  heard: Heard[];
  /** What the next requests get, in order; the last one stays. */
  play(...plays: Play[]): void;
  stop(): Promise<void>;
}

/** What sends the processes of a stack to it, with Vertex AI's own SDK. */
export function vertexAt({ host, caFile }: ModelServer): NodeJS.ProcessEnv {
  return {
    SUREFOOT_MODEL: 'vertexai/gemini-2.5-flash',
    VERTEX_PROJECT: 'acme',
    VERTEX_API_ENDPOINT: host,
    VERTEX_ACCESS_TOKEN: 'ya29.not-for-any-log',
    NODE_EXTRA_CA_CERTS: caFile,
  };
}

export async function startModelServer(): Promise<ModelServer> {
  const { key, cert } = makeCertificate();
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-model-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, cert);
  // For this process; another one is given the file at its start.
  setDefaultCACertificates([...getCACertificates('default'), cert]);

  const heard: Heard[] = [];
  let plays: Play[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url = '', headers } = request;
      // No vendor has the slots of llama.cpp.
      if (method === 'GET' && url === '/slots') return void response.writeHead(404).end();
      const one: Heard = { method, path: url, headers, body: text === '' ? {} : JSON.parse(text), isAbandoned: false };
      heard.push(one);
      response.on('close', () => (one.isAbandoned = !response.writableFinished));
      const refusal = refusalOf(one);
      if (refusal !== undefined) {
        void refuses(400, refusal)(response, one);
        return;
      }
      const play = plays.length > 1 ? plays.shift()! : plays[0];
      if (play === undefined) response.writeHead(500).end('no script');
      else Promise.resolve(play(response, one)).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    caFile,
    heard,
    play: (...next) => {
      plays = next;
      heard.length = 0;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes text in pieces of so many bytes: boundaries fall inside of characters, lines and JSON. */
export async function writeInPieces(response: ServerResponse, text: string, size = 7): Promise<void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Any refusal before a stream has begun. */
export function refuses(status: number, body: object | string, headers: Record<string, string> = {}): Play {
  return (response) => {
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  };
}

/** Never says a word. */
export const silent: Play = () => {};
