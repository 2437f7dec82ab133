import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { SYSTEM_VERSION_TEXT } from '../../../contracts/version';
import { Redaction } from '../../browser/redaction';
import type { McpServerConfig } from './config';

const CONNECT_LIMIT_MS = 15_000;
/** A larger message ends the connection; what a tool puts out is capped far below, but only once it is here. */
const LARGEST_MESSAGE = 96 * 1024 * 1024;
const MOST_PAGES = 50;
/** What a server wrote before it died, for the error. */
const TAIL = 500;

/** The connection of a server is gone, or never came about. */
export class McpServerGone extends Error {}

export interface McpCall {
  signal: AbortSignal;
  onProgress: (text: string) => void;
}

/** One MCP server: connected when it is needed, again when it has died, and never twice at once. */
export interface McpServer {
  name: string;
  listTools(): Promise<Tool[]>;
  call(tool: string, args: Record<string, unknown>, call: McpCall): Promise<CallToolResult>;
  close(): Promise<void>;
}

interface Connection {
  client: Client;
  /** Aborts when the connection is gone. */
  gone: AbortController;
}

export function createMcpServer(config: McpServerConfig, warn: (message: string) => void): McpServer {
  const { name, timeoutMs } = config;
  const redaction = new Redaction();
  for (const secret of Object.values('url' in config ? config.headers : config.env))
    if (secret.length >= 6) redaction.learn(secret);
  let connecting: Promise<Connection> | undefined;
  let isClosed = false;

  async function open(): Promise<Connection> {
    const client = new Client({ name: 'surefoot', version: SYSTEM_VERSION_TEXT });
    const gone = new AbortController();
    const wrote = { tail: '' };
    const transport = transportOf(config, wrote);
    let isUp = false;
    client.onclose = () => {
      gone.abort();
      if (connecting === opening) connecting = undefined;
      if (isClosed || !isUp) return;
      warn(`The MCP server ${name} went away; it is started again.`);
      // Once: should it not come up, the next call tries.
      connection().catch((error: unknown) => warn((error as Error).message));
    };
    try {
      await client.connect(transport, { timeout: CONNECT_LIMIT_MS });
    } catch (cause) {
      await client.close().catch(() => {});
      const wrong = [(cause as Error).message, wrote.tail.trim()].filter((text) => text !== '').join(' — ');
      throw new McpServerGone(redaction.redact(`The MCP server ${name} can't be reached: ${wrong}`), { cause });
    }
    isUp = true;
    return { client, gone };
  }

  let opening: Promise<Connection> | undefined;
  function connection(): Promise<Connection> {
    if (connecting !== undefined) return connecting;
    opening = open();
    connecting = opening;
    const own = opening;
    own.catch(() => {
      if (connecting === own) connecting = undefined;
    });
    return own;
  }

  async function drop(client: Client): Promise<void> {
    connecting = undefined;
    await client.close().catch(() => {});
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
      const { client, gone } = await connection();
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
          await drop(client);
          throw new McpServerGone(
            `The MCP server ${name} went away during the call; nobody knows whether ${tool} took effect.`,
            { cause: error },
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

function transportOf(config: McpServerConfig, wrote: { tail: string }): Transport {
  if ('url' in config) {
    // Its type leaves the session id out where it has none, which exactOptionalPropertyTypes does not take.
    return new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers },
    }) as Transport;
  }
  const { command, args, env, cwd } = config;
  const transport = new StdioClientTransport({
    command,
    args,
    // Its own environment only: the engine's has keys and addresses that are none of its business.
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
    maxBufferSize: LARGEST_MESSAGE,
    ...(cwd === undefined ? {} : { cwd }),
  });
  transport.stderr?.on('data', (chunk: Buffer) => (wrote.tail = (wrote.tail + chunk.toString()).slice(-TAIL)));
  return transport;
}

async function untilGone(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    const tell = (): void => reject(new McpServerGone('the connection is gone'));
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell, { once: true });
  });
}

/** What never came as an answer of the server. */
function isOfTransport(error: unknown): boolean {
  const { message = '', code } = error as { message?: string; code?: unknown };
  return code === -32000 || /fetch failed|terminated|socket|ECONN|not connected|disconnected/i.test(message);
}
