import {
  networkPolicy,
  PUBLIC_NETWORK,
  type NetworkPolicy,
  type OperatorNetwork,
  type SessionNetwork,
} from '../../contracts/browsers/network-policy';
import type { BlockedOrigin } from '../../contracts/browsers/keeper';
import type { EngineEndpoints } from './engine-endpoints';
import { startOriginProxy } from './origin-proxy';

/** The only way out of one Chrome, and what may pass. */
export interface WayOut {
  /** Of its proxy, which Chrome was started with. */
  readonly port: number;
  readonly network: SessionNetwork;
  readonly policy: NetworkPolicy;
  allow(network: SessionNetwork): void;
  reportTo(report: (blocked: Pick<BlockedOrigin, 'origin' | 'guard'>) => void): void;
  close(): void;
}

/** Opens the way out of each Chrome of a host, within what its operator allows. */
export interface Egress {
  /** `port` is 0 for any; an adopted Chrome knows its own. */
  open(wanted?: { network?: SessionNetwork | undefined; port?: number }): Promise<WayOut>;
}

export function createEgress({ operator, engine }: { operator: OperatorNetwork; engine: EngineEndpoints }): Egress {
  return {
    async open({ network: first = PUBLIC_NETWORK, port = 0 } = {}) {
      let network = first;
      let policy = networkPolicy(network, operator);
      const proxy = await startOriginProxy({ policy, engine, port });
      return {
        port: proxy.port,
        get network() {
          return network;
        },
        get policy() {
          return policy;
        },
        allow(next) {
          network = next;
          policy = networkPolicy(next, operator);
          proxy.setPolicy(policy);
        },
        reportTo: (report) => proxy.reportTo(report),
        close: () => proxy.close(),
      };
    },
  };
}
