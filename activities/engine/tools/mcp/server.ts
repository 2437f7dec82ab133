import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { SYSTEM_VERSION_TEXT } from '../../../../contracts/modules/version';
import { EngineError } from '../../../activity/failures';
import { Redactor } from '../../../secrets/redaction';
import type { McpServerConfig } from './config';

const CONNECT_LIMIT_MS = 15_000;
/** A larger message ends the connection. The client puts it together anew with every piece that comes: 50 MB took 38 s. */
const LARGEST_MESSAGE = 8 * 1024 * 1024;
const PING_LIMIT_MS = 3000;
const MOST_PAGES = 50;
/** What a server wrote before it died, for the error. */
const TAIL = 500;
const TOO_LARGE = `: its answer was larger than ${LARGEST_MESSAGE / 1024 / 1024} MB`;

/** The client would compile and run the server's schemas on this thread; the adapter has them checked in another one. */
const UNCHECKED: jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

/** The connection to a server is lost, or could not be made. */
export class McpServerGone extends EngineError {
  constructor(message: string, cause?: unknown) {
    super('TL002', message, { cause });
  }
}

export interface McpCall {
  signal: AbortSignal;
  onProgress: (text: string) => void;
}

/** One MCP server. It is connected when a call needs it and again after it has died, never twice at once. */
export interface McpServer {
  name: string;
  listTools(): Promise<Tool[]>;
  call(tool: string, args: Record<string, unknown>, call: McpCall): Promise<CallToolResult>;
  close(): Promise<void>;
}

interface TransportState {
  tail: string;
  /** Why the connection was ended, for the error. */
  wrong: string;
  /** Ends the connection. */
  end: () => void;
}

interface Connection {
  client: Client;
  wrote: TransportState;
  /** Aborts when the connection is gone. */
  gone: AbortController;
}

/** The SDK hands on a notification a moment later than a result, and drops progress that comes in one piece with the result. */
function deliverOneByOne(transport: Transport): void {
  const { onmessage } = transport;
  let delivered = Promise.resolve();
  transport.onmessage = (message, extra) => {
    delivered = delivered
      .then(() => onmessage?.(message, extra))
      .catch((error: unknown) => transport.onerror?.(error as Error));
  };
}

export function createMcpServer(config: McpServerConfig, warn: (message: string) => void): McpServer {
  const { name, timeoutMs } = config;
  const redaction = new Redactor();
  for (const secret of Object.values('url' in config ? config.headers : config.env))
    if (secret.length >= 6) redaction.add(secret);
  let connecting: Promise<Connection> | undefined;
  let isClosed = false;

  async function open(isOver: () => void): Promise<Connection> {
    const client = new Client({ name: 'surefoot', version: SYSTEM_VERSION_TEXT }, { jsonSchemaValidator: UNCHECKED });
    const gone = new AbortController();
    const wrote: TransportState = { tail: '', wrong: '', end: () => end() };
    const transport = transportOf(config, wrote);
    let isUp = false;
    const end = (): void => {
      isOver();
      gone.abort();
    };
    client.onclose = () => {
      const wasUp = isUp && !gone.signal.aborted;
      end();
      if (isClosed || !wasUp) return;
      warn(`The MCP server ${name} went away; it is started again.`);
      // Tries once: if the server does not start, the next call tries again.
      connection().catch((error: unknown) => warn((error as Error).message));
    };
    // Over HTTP a dead server closes no connection; only its broken stream shows it.
    client.onerror = ({ message }) => {
      if (/exceeded maximum size/i.test(message)) wrote.wrong = TOO_LARGE;
      if (isUp && 'url' in config && !gone.signal.aborted) client.ping({ timeout: PING_LIMIT_MS }).catch(end);
    };
    try {
      await client.connect(transport, { timeout: CONNECT_LIMIT_MS });
    } catch (cause) {
      await client.close().catch(() => {});
      const wrong = [(cause as Error).message, wrote.tail.trim()].filter((text) => text !== '').join(' — ');
      throw new McpServerGone(redaction.redact(`The MCP server ${name} can't be reached: ${wrong}`), cause);
    }
    deliverOneByOne(transport);
    isUp = true;
    return { client, gone, wrote };
  }

  function connection(): Promise<Connection> {
    if (connecting !== undefined) return connecting;
    const own: Promise<Connection> = open(() => {
      if (connecting === own) connecting = undefined;
    });
    connecting = own;
    own.catch(() => {
      if (connecting === own) connecting = undefined;
    });
    return own;
  }

  return {
    name,
    async listTools() {
      const { client } = await connection();
      const tools: Tool[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const listed = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: CONNECT_LIMIT_MS });
        tools.push(...listed.tools);
        cursor = listed.nextCursor;
        if (cursor === undefined) break;
      }
      return tools;
    },
    async call(tool, args, { signal, onProgress }) {
      const { client, gone, wrote } = await connection();
      const asked = client.callTool({ name: tool, arguments: args }, undefined, {
        signal,
        timeout: timeoutMs,
        maxTotalTimeout: timeoutMs,
        onprogress: ({ message, progress, total }) =>
          onProgress(message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`),
      });
      try {
        return (await Promise.race([asked, untilGone(gone.signal)])) as CallToolResult;
      } catch (error) {
        if (signal.aborted) throw error;
        const said = redaction.redact((error as Error).message);
        if (gone.signal.aborted || isOfTransport(error)) {
          gone.abort();
          await client.close().catch(() => {});
          throw new McpServerGone(
            `The MCP server ${name} went away during the call${wrote.wrong}; nobody knows whether ${tool} took effect.`,
            error,
          );
        }
        throw new Error(`The MCP server ${name} says: ${said}`, { cause: error });
      }
    },
    async close() {
      isClosed = true;
      const open = await connecting?.catch(() => undefined);
      await open?.client.close().catch(() => {});
    },
  };
}

function transportOf(config: McpServerConfig, wrote: TransportState): Transport {
  if ('url' in config) {
    // Its type leaves the session id out where it has none, which exactOptionalPropertyTypes does not take.
    return new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers },
      fetch: async (url, init) => limited(await fetch(url, init), init?.method === 'POST', wrote),
    }) as Transport;
  }
  const { command, args, env, cwd } = config;
  const transport = new StdioClientTransport({
    command,
    args,
    // Only its own environment: the engine's has keys and addresses that it must not get.
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
    maxBufferSize: LARGEST_MESSAGE,
    ...(cwd === undefined ? {} : { cwd }),
  });
  transport.stderr?.on('data', (chunk: Buffer) => (wrote.tail = (wrote.tail + chunk.toString()).slice(-TAIL)));
  return transport;
}

/**
 * Limits the length of the answer to a call. The stream of a GET is not limited, because it lasts as long as the
 * session.
 */
function limited(response: Response, isAnswer: boolean, wrote: TransportState): Response {
  if (!isAnswer || response.body === null) return response;
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes <= LARGEST_MESSAGE) return controller.enqueue(chunk);
      wrote.wrong = TOO_LARGE;
      wrote.end();
      controller.error(new Error('The answer is too large.'));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
}

async function untilGone(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    const rejectGone = (): void => reject(new McpServerGone('the connection is gone'));
    if (signal.aborted) rejectGone();
    else signal.addEventListener('abort', rejectGone, { once: true });
  });
}

/** True for an error of the transport, not of the server. */
function isOfTransport(error: unknown): boolean {
  const { message = '', code } = error as { message?: string; code?: unknown };
  return code === -32000 || /fetch failed|terminated|socket|ECONN|not connected|disconnected/i.test(message);
}
