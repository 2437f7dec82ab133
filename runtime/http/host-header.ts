import type { IncomingMessage } from 'node:http';

/**
 * Returns what is wrong with the host of a request: two Host headers, of which Node keeps one and a proxy before it perhaps
 * the other, or an address as target that names another host than the header does (RFC 9112, 3.2).
 */
export function hostProblem({ rawHeaders, url = '' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): string | undefined {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === 'host');
  if (hosts.length > 1) return `Expected one Host header, got ${hosts.length}. Send one.`;
  if (url.startsWith('/') || hosts[0] === undefined) return undefined;
  const target = URL.parse(url);
  if (target === null || target.host === URL.parse(`${target.protocol}//${hosts[0]}`)?.host) return undefined;
  return `Expected one host, got ${hosts[0].slice(0, 100)} as Host header and ${target.host.slice(0, 100)} in the address. Send the same in both.`;
}
