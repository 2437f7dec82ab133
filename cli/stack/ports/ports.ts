import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { SETTINGS } from '../../../runtime/settings/definitions';
import { LOCAL_PORTS } from '../../../runtime/settings/process-definitions';
import { readSetting } from '../../../runtime/settings/setting';
import { findPortOwner } from './port-owner';
import type { Reporter } from '../reporting/reporter';
import { stackReasonOf, StackError } from '../reporting/stack-error';

/** The port of a part of the stack: the environment variable that sets it and the default. */
export interface PortSetting {
  variable: string;
  preferred: number;
}

export const stackPorts = {
  api: portOf(SETTINGS.listen.port),
  shop: portOf(LOCAL_PORTS.shop),
  temporal: portOf(LOCAL_PORTS.temporal),
  temporalUi: portOf(LOCAL_PORTS.temporalUi),
  postgres: portOf(LOCAL_PORTS.postgres),
};

function portOf(setting: typeof LOCAL_PORTS.shop): PortSetting {
  return { variable: setting.env, preferred: readSetting(setting, {}) };
}

export const HOST = '127.0.0.1';
/** What `localhost` is, besides: a program that listens there alone answers whoever calls the port by that name. */
const SAME_BY_NAME = '::1';
/** How many ports are tried. */
const TRIED = 100;
/**
 * Below the range from which systems give ports to outgoing connections, so that a restarted process finds its port
 * free.
 */
const ANY_PORT = { from: 20_000, count: 12_000 };

/** The ports of one stack. */
export interface PortChooser {
  /** Resolves to the port of this part, the same one with every call. */
  choose(setting: PortSetting): Promise<number>;
  /** Forgets the port where another program has taken it; resolves to whether one has. */
  forgetTaken(setting: PortSetting): Promise<boolean>;
  release(): void;
}

interface Chosen {
  port: number;
  /** Undefined for a port that its variable names: nobody else's wish counts there. */
  reservation: Socket | undefined;
}

/**
 * Chooses the ports of one stack: by binding them, and reserved against other stacks until they are released. A wish of 0
 * means any free port.
 */
export function createPortChooser(env: NodeJS.ProcessEnv, anyPorts: boolean, reporter: Reporter): PortChooser {
  const chosen = new Map<string, Chosen>();
  let choosing: Promise<unknown> = Promise.resolve();

  /** One after the other, so that no two parts get the same one. */
  function choose(setting: PortSetting): Promise<number> {
    const choice = choosing.then(() => chooseNext(setting));
    choosing = choice.catch(() => undefined);
    return choice;
  }

  async function chooseNext(setting: PortSetting): Promise<number> {
    const found = chosen.get(setting.variable) ?? (await find(setting));
    chosen.set(setting.variable, found);
    return found.port;
  }

  async function find({ variable, preferred }: PortSetting): Promise<Chosen> {
    const wish = env[variable];
    if (wish === '0' || (anyPorts && !wish)) return await firstFree(randomPorts());
    if (wish) return await explicitPort(variable, Number(wish));
    const found = await firstFree(Array.from({ length: TRIED }, (_, index) => preferred + index));
    if (found.port !== preferred)
      reporter.warn(`port ${preferred} is taken by ${await ownerOf(preferred)}, using ${found.port}`);
    return found;
  }

  async function explicitPort(variable: string, port: number): Promise<Chosen> {
    if (!isChosen(port) && (await isFree(port))) return { port, reservation: undefined };
    throw new StackError(
      `Port ${port}, which ${variable} names, is taken by ${await ownerOf(port)}. ` +
        `End that program, set ${variable} to another port (0 takes any), or leave it unset.`,
    );
  }

  async function firstFree(candidates: number[]): Promise<Chosen> {
    for (const port of candidates) {
      const reservation = isChosen(port) ? undefined : await reserve(port);
      if (reservation === undefined) continue;
      if (await isFree(port)) return { port, reservation };
      reservation.close();
    }
    throw new StackError(
      `None of ${candidates.length} ports from ${candidates[0]} on is free. End what listens there.`,
    );
  }

  async function ownerOf(port: number): Promise<string> {
    return isChosen(port) ? 'another part of this stack' : ((await findPortOwner(port)) ?? 'another program');
  }

  const isChosen = (port: number): boolean => [...chosen.values()].some((each) => each.port === port);

  async function forgetTaken({ variable }: PortSetting): Promise<boolean> {
    const found = chosen.get(variable);
    if (found === undefined || (await isFree(found.port))) return false;
    found.reservation?.close();
    chosen.delete(variable);
    return true;
  }

  function release(): void {
    for (const { reservation } of chosen.values()) reservation?.close();
    chosen.clear();
  }

  return { choose, forgetTaken, release };
}

/**
 * Reserves the port for this process by its UDP namesake, which the system gives to one process at a time and takes back
 * when that one ends; no part of a stack uses UDP. The port itself has to stay free: its server takes seconds to bind it
 * the first time, and leaves it for a moment whenever it is restarted. Resolves to undefined where somebody else has it.
 */
async function reserve(port: number): Promise<Socket | undefined> {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: HOST, exclusive: true });
  return await once(socket, 'listening').then(
    () => socket,
    () => void socket.close(),
  );
}

async function isFree(port: number): Promise<boolean> {
  return (await canListen(HOST, port)) && (await canListen(SAME_BY_NAME, port));
}

/** Binds the port and leaves it. */
async function canListen(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return false;
    // A machine without IPv6.
    if (host === SAME_BY_NAME) return true;
    throw new StackError(`Port ${port} can't be used: ${stackReasonOf(error)}. Set another one.`);
  } finally {
    server.close();
  }
}

function randomPorts(): number[] {
  return Array.from({ length: TRIED }, () => ANY_PORT.from + Math.floor(Math.random() * ANY_PORT.count));
}
