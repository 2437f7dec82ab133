import getPort, { clearLockedPorts, portNumbers } from 'get-port';
import { SETTINGS } from '../runtime/settings/definitions';
import { LOCAL_PORTS } from '../runtime/settings/process-definitions';
import { readSetting } from '../runtime/settings/setting';
import { findPortOwner } from './port-owner';
import type { Reporter } from './reporter';
import { StackError } from './stack-error';

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
/** How many ports after the preferred one are tried. */
const NEIGHBOURS = 100;
/**
 * Below the range from which systems give ports to outgoing connections, so that a restarted process finds its port
 * free.
 */
const ANY_PORT = { from: 20_000, count: 12_000 };

/**
 * Creates a function that chooses the ports of one stack. A wish of 0 means any free port. No port is chosen for two
 * parts, and a part keeps its own.
 */
export function createPortChooser(env: NodeJS.ProcessEnv, anyPorts: boolean, reporter: Reporter) {
  const chosen = new Set<number>();
  const bySetting = new Map<string, number>();

  async function choose(setting: PortSetting): Promise<number> {
    const port = bySetting.get(setting.variable) ?? (await find(setting));
    chosen.add(port);
    bySetting.set(setting.variable, port);
    return port;
  }

  async function find(setting: PortSetting): Promise<number> {
    const wish = env[setting.variable];
    const { variable, preferred } = setting;
    if (wish === '0' || (anyPorts && !wish)) return firstFree(randomPorts());
    if (wish) return explicitPort(variable, wish);
    const port = await firstFree(portNumbers(preferred, preferred + NEIGHBOURS));
    if (port !== preferred) {
      reporter.warn(`port ${preferred} is taken by ${await ownerOf(preferred)}, using ${port}`);
    }
    return port;
  }

  async function explicitPort(variable: string, wish: string): Promise<number> {
    const port = Number(wish);
    if ((await firstFree([port])) === port) return port;
    throw new StackError(
      `Port ${port}, which ${variable} names, is taken by ${await ownerOf(port)}. ` +
        `End that program, set ${variable} to another port (0 takes any), or leave it unset.`,
    );
  }

  async function ownerOf(port: number): Promise<string> {
    return chosen.has(port) ? 'another part of this stack' : ((await findPortOwner(port)) ?? 'another program');
  }

  /** Resolves to a port that the system chooses when no candidate is free. */
  function firstFree(candidates: Iterable<number>): Promise<number> {
    // get-port refuses a port for 15 s after it named it; a stack that starts again wants the same one.
    clearLockedPorts();
    return getPort({ port: candidates, host: HOST, exclude: chosen });
  }

  return choose;
}

function randomPorts(): number[] {
  return Array.from({ length: NEIGHBOURS }, () => ANY_PORT.from + Math.floor(Math.random() * ANY_PORT.count));
}
