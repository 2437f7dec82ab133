import { isIP } from 'node:net';
import type { NetworkGuard, NetworkPolicy } from '../../contracts/browsers/network-policy';
import { endpointOf, matchesEndpoint, matchesUrl, type Endpoint } from '../../contracts/browsers/origins';
import { isPrivateAddress, isReservedAddress, isReservedName } from './addresses';

/** What can be said of an endpoint before its name is resolved: the guard that refuses it. */
export function guardOfEndpoint(policy: NetworkPolicy, endpoint: Endpoint): NetworkGuard | undefined {
  const isAllowed = policy.allowedOrigins.every((list) => list.some((pattern) => matchesEndpoint(pattern, endpoint)));
  return isAllowed ? guardOfHost(policy, endpoint) : 'allowed-origins';
}

/** The same for an address that a page is led to, whose scheme counts too. */
export function guardOfUrl(policy: NetworkPolicy, url: string): NetworkGuard | undefined {
  const endpoint = endpointOf(url);
  if (endpoint === undefined) return undefined;
  const isAllowed = policy.allowedOrigins.every((list) => list.some((pattern) => matchesUrl(pattern, url)));
  return isAllowed ? guardOfHost(policy, endpoint) : 'allowed-origins';
}

/** Whether an address that a name leads to, or that was written as one, may be reached. */
export function guardOfAddress(policy: NetworkPolicy, endpoint: Endpoint, address: string): NetworkGuard | undefined {
  const isOf = (patterns: readonly string[]): boolean => patterns.some((each) => matchesEndpoint(each, endpoint));
  // An operator, or a request, that spells it out.
  const isLiteral = isIP(bareHost(endpoint)) !== 0 || isLocalName(endpoint.host);
  const isByOperator = isOf(policy.operatorOrigins);
  if (isReservedAddress(address)) return isByOperator && isLiteral ? undefined : 'reserved-address';
  if (!isPrivateAddress(address) || isByOperator || isOf(isLiteral ? policy.privateAddresses : policy.privateNames))
    return undefined;
  return 'private-address';
}

export function bareHost({ host }: Endpoint): string {
  return host.replace(/^\[|\]$/g, '');
}

/** Names that always are this machine. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function guardOfHost(policy: NetworkPolicy, endpoint: Endpoint): NetworkGuard | undefined {
  if (isReservedName(endpoint.host)) return 'reserved-address';
  const host = bareHost(endpoint);
  if (isIP(host) !== 0) return guardOfAddress(policy, endpoint, host);
  return isLocalName(host) ? guardOfAddress(policy, endpoint, '127.0.0.1') : undefined;
}
