import type { lookup, LookupAddress } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { allowsEndpoint, type Endpoint, type NetworkPolicy } from '../../contracts/browsers/origins';
import { isPrivateAddress } from './private-addresses';

export type Resolve = (host: string) => Promise<LookupAddress[]>;
export const resolveBySystem: Resolve = (host) => resolve(host, { all: true });

/** Whether a connection is allowed, and to which addresses: the name is not resolved again. */
export type EndpointCheck =
  { kind: 'allowed'; addresses: LookupAddress[] } | { kind: 'blocked'; guard: 'allowed-origins' | 'private-address' };

/** Checks an endpoint against the policy. Rejects when its name can not be resolved. */
export async function checkEndpoint(
  policy: NetworkPolicy,
  endpoint: Endpoint,
  resolving: Resolve,
): Promise<EndpointCheck> {
  if (!allowsEndpoint(policy, endpoint)) return { kind: 'blocked', guard: 'allowed-origins' };
  const host = endpoint.host.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  // An address that the policy allows explicitly is allowed.
  if (family !== 0) return { kind: 'allowed', addresses: [{ address: host, family }] };
  const all = host === 'localhost' ? LOOPBACK : await resolving(host);
  const isNamed = host === 'localhost' || policy.allowPrivateAddresses;
  const addresses = isNamed ? all : all.filter(({ address }) => !isPrivateAddress(address));
  return addresses.length > 0 ? { kind: 'allowed', addresses } : { kind: 'blocked', guard: 'private-address' };
}

const LOOPBACK: LookupAddress[] = ['127.0.0.1', '::1'].map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));

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
