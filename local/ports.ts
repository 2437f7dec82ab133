import { createServer, connect } from 'node:net';
import { findPortOwner } from './port-owner';
import type { Reporter } from './reporter';
import { StackError } from './stack-error';

/** What a part of the stack listens on: the environment variable that sets it and the port it takes by itself. */
export interface PortSetting {
  variable: string;
  preferred: number;
}

export const stackPorts = {
  api: { variable: 'PORT', preferred: 3000 },
  shop: { variable: 'SHOP_PORT', preferred: 4000 },
  temporal: { variable: 'TEMPORAL_PORT', preferred: 7233 },
  temporalUi: { variable: 'TEMPORAL_UI_PORT', preferred: 8233 },
  postgres: { variable: 'POSTGRES_PORT', preferred: 54_320 },
} as const satisfies Record<string, PortSetting>;

export const HOST = '127.0.0.1';
const NEIGHBOURS = 100;
/** Below the range from which systems give ports to outgoing connections, so that a restart finds its port free. */
const ANY_PORT = { from: 20_000, count: 12_000 };
const CONNECT_MS = 3000;

/** Gives out ports for one stack. A wish of 0 means any free port; each port is given once. */
export function createPortChooser(env: NodeJS.ProcessEnv, anyPorts: boolean, reporter: Reporter) {
  const given = new Set<number>();

  async function choose(setting: PortSetting): Promise<number> {
    const port = await chosen(setting);
    given.add(port);
    return port;
  }

  async function chosen(setting: PortSetting): Promise<number> {
    const wish = env[setting.variable];
    if (wish === '0' || (anyPorts && !wish)) return firstFree(randomPorts());
    if (wish) return explicitPort(setting, wish);
    const port = await firstFree(neighboursOf(setting.preferred));
    if (port !== setting.preferred) {
      reporter.warn(`port ${setting.preferred} is taken by ${await ownerOf(setting.preferred)}, using ${port}`);
    }
    return port;
  }

  async function explicitPort(setting: PortSetting, wish: string): Promise<number> {
    const port = Number(wish);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new StackError(`${setting.variable} is to be a port from 0 to 65535, but it is "${wish}".`);
    }
    if (!given.has(port) && (await isFree(port))) return port;
    throw new StackError(
      `Port ${port}, which ${setting.variable} asks for, is taken by ${await ownerOf(port)}. ` +
        `End that one, set ${setting.variable} to another port (0 takes any), or leave it unset.`,
    );
  }

  async function ownerOf(port: number): Promise<string> {
    return given.has(port) ? 'another part of this stack' : ((await findPortOwner(port)) ?? 'another program');
  }

  async function firstFree(candidates: Iterable<number>): Promise<number> {
    for (const port of candidates) if (!given.has(port) && (await isFree(port))) return port;
    throw new StackError(`No free port was found on ${HOST}. End programs that listen, or set other ports.`);
  }

  return choose;
}

function* neighboursOf(port: number): Generator<number> {
  for (let next = port; next < port + NEIGHBOURS; next += 1) yield next;
}

function* randomPorts(): Generator<number> {
  for (let tried = 0; tried < NEIGHBOURS; tried += 1) {
    yield ANY_PORT.from + Math.floor(Math.random() * ANY_PORT.count);
  }
}

/** Free means: nobody answers there, and it can be listened on. Some systems allow the second without the first. */
async function isFree(port: number): Promise<boolean> {
  return !(await canConnect(HOST, port)) && (await canListen(port));
}

export function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const answer = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => answer(true));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
