import { z } from 'zod';
import { BlockedOriginSchema, type BlockedOrigin } from '../../../contracts/browsers/keeper';
import {
  networkPolicy,
  PUBLIC_NETWORK,
  type NetworkPolicy,
  type OperatorNetwork,
  type SessionNetwork,
} from '../../../contracts/browsers/network-policy';
import { errorMessage } from '../../../contracts/errors/error-message';
import { isAlive } from '../../../runtime/process-identity';
import { KEEPER_DEADLINES } from '../host/deadlines';
import { egressUnanswered } from '../host/refusals';
import { OpenedSchema, type EgressFile } from './egress-file';
import { endEgress, findOrStartEgress, isReplacedWithin, ownIdentity } from './egress-process';

type Blocked = Pick<BlockedOrigin, 'origin' | 'guard'>;

/** The only way out of one Chrome, and what may pass. */
export interface WayOut {
  /** Of its proxy, which Chrome was started with. */
  readonly port: number;
  readonly network: SessionNetwork;
  readonly policy: NetworkPolicy;
  allow(network: SessionNetwork): Promise<void>;
  /** What was blocked so far. */
  blocked(): Promise<Blocked[]>;
  /** Resolves once it is open, with the time since when. */
  openSince(): Promise<string>;
  close(): Promise<void>;
}

/** Opens the way out of each Chrome of a host, within what its operator allows. */
export interface Egress {
  /** `port` is 0 for any; an adopted Chrome knows its own. */
  open(wanted?: { network?: SessionNetwork | undefined; port?: number }): Promise<WayOut>;
  /** Names where the engine listens, which no Chrome reaches. */
  setServices(services: readonly (string | undefined)[]): Promise<void>;
  /** Leaves the process to the next keeper, or ends it with its Chromes. */
  stop(options: { endBrowsers: boolean }): void;
}

interface EgressOptions {
  root: string;
  /** Of the local stack, whose services may start later. */
  home?: string | undefined;
  operator: OperatorNetwork;
}

const WATCH_MS = 500;
/** From its last refusal to its end: the time that a process needs to exit. */
const ENDING_MS = 2000;
const BlockedListSchema = z.array(BlockedOriginSchema.pick({ origin: true, guard: true }));

export function createEgress({ root, home, operator }: EgressOptions): Egress {
  const policies = new Map<number, NetworkPolicy>();
  let services: string[] = [];
  let file: EgressFile | undefined;
  let openSince = '';
  let starting: Promise<EgressFile> | undefined;

  async function send({ port, token }: EgressFile, method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(KEEPER_DEADLINES.egressCall),
    }).catch((error: unknown) => {
      throw egressUnanswered(`${method} ${path}`, errorMessage(error));
    });
    if (!response.ok) throw new Error(`The egress process answered ${method} ${path} with ${response.status}.`);
    return response.status === 204 ? undefined : await response.json();
  }

  const engine = () => ({ keeper: ownIdentity(), services, ...(home === undefined ? {} : { home }) });

  /** A process ends by itself when its keeper and all Chromes are gone, which may be while the next keeper finds it. */
  async function introduced({ isAgain = false } = {}): Promise<EgressFile> {
    const found = await findOrStartEgress(root);
    try {
      await send(found, 'PUT', '/engine', engine());
      return found;
    } catch (error) {
      if (isAgain || !(await isReplacedWithin(root, found, ENDING_MS))) throw error;
      return await introduced({ isAgain: true });
    }
  }

  /** The process that runs; a new one gets the ways of the one that died, at the same ports. */
  async function running(): Promise<EgressFile> {
    if (file !== undefined && isAlive(file)) return file;
    starting ??= (async () => {
      const found = await introduced();
      await Promise.all([...policies].map(([port, policy]) => send(found, 'PUT', `/ways/${port}`, { policy })));
      // Of a process that this keeper has found, no way was closed meanwhile.
      openSince = file === undefined ? found.startedAt : new Date().toISOString();
      return (file = found);
    })().finally(() => (starting = undefined));
    return await starting;
  }

  const call = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    await send(await running(), method, path, body);

  const watching = setInterval(() => {
    if (file !== undefined && !isAlive(file)) running().catch(() => {});
  }, WATCH_MS);
  watching.unref();

  return {
    async open({ network: first = PUBLIC_NETWORK, port: wanted = 0 } = {}) {
      let network = first;
      let policy = networkPolicy(network, operator);
      const { port } = OpenedSchema.parse(await call('PUT', `/ways/${wanted}`, { policy }));
      policies.set(port, policy);
      return {
        port,
        get network() {
          return network;
        },
        get policy() {
          return policy;
        },
        async allow(next) {
          const allowed = networkPolicy(next, operator);
          await call('PUT', `/ways/${port}`, { policy: allowed });
          policies.set(port, allowed);
          [network, policy] = [next, allowed];
        },
        async openSince() {
          await running();
          return openSince;
        },
        blocked: async () => BlockedListSchema.parse(await call('GET', `/ways/${port}/blocked`)),
        async close() {
          policies.delete(port);
          if (file !== undefined && isAlive(file)) await send(file, 'DELETE', `/ways/${port}`).catch(() => {});
        },
      };
    },
    async setServices(given) {
      services = given.filter((each) => each !== undefined);
      await call('PUT', '/engine', engine());
    },
    stop({ endBrowsers }) {
      clearInterval(watching);
      if (endBrowsers) endEgress(root);
    },
  };
}
