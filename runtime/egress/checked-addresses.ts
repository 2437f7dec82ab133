import type { lookup, LookupAddress } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { NetworkGuard, NetworkPolicy } from '../../contracts/browsers/network-policy';
import type { Endpoint } from '../../contracts/browsers/origins';
import { bareHost, guardOfAddress, guardOfEndpoint, isLocalName } from './judge-endpoint';
import type { EngineEndpoints } from './engine-endpoints';

export type Resolve = (host: string) => Promise<LookupAddress[]>;
export const resolveBySystem: Resolve = (host) => resolve(host, { all: true });

/** Whether a connection is allowed, and to which addresses: the name is not resolved again. */
export type EndpointCheck = { kind: 'allowed'; addresses: LookupAddress[] } | { kind: 'blocked'; guard: NetworkGuard };

interface CheckedBy {
  policy: NetworkPolicy;
  engine: EngineEndpoints;
  resolve: Resolve;
}

/** Checks an endpoint against the policy. Rejects when its name can not be resolved. */
export async function checkEndpoint(endpoint: Endpoint, by: CheckedBy): Promise<EndpointCheck> {
  const { policy, engine } = by;
  const guard = guardOfEndpoint(policy, endpoint);
  if (guard !== undefined) return { kind: 'blocked', guard };
  const guards = new Set<NetworkGuard>();
  const addresses = (await addressesOf(endpoint, by.resolve)).filter(({ address }) => {
    const refusing = engine.has(address, endpoint.port)
      ? 'reserved-address'
      : guardOfAddress(policy, endpoint, address);
    if (refusing !== undefined) guards.add(refusing);
    return refusing === undefined;
  });
  if (addresses.length > 0) return { kind: 'allowed', addresses };
  return { kind: 'blocked', guard: guards.has('reserved-address') ? 'reserved-address' : 'private-address' };
}

async function addressesOf(endpoint: Endpoint, resolving: Resolve): Promise<LookupAddress[]> {
  const host = bareHost(endpoint);
  if (isIP(host) !== 0) return [{ address: host, family: isIP(host) }];
  return isLocalName(host) ? LOOPBACK : await resolving(host);
}

const LOOPBACK: LookupAddress[] = ['127.0.0.1', '::1'].map((address) => ({ address, family: isIP(address) }));

/** Replaces the look-up that a socket would do. */
export function lookupOf(addresses: readonly LookupAddress[]): typeof lookup {
  const answer = (
    _host: string,
    options: { all?: boolean } | undefined,
    done: (...result: unknown[]) => void,
  ): void => {
    const [first] = addresses;
    if (options?.all === true) done(null, addresses);
    else done(null, first!.address, first!.family);
  };
  return answer as unknown as typeof lookup;
}
