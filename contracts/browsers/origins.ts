import { z } from 'zod';

const DEFAULT_PORT: Record<string, number> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

export function isHttpUrl(value: string): boolean {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
}

/** The http(s) origin of an address; undefined for any other address, such as `data:` and `about:blank`. */
export function webOriginOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // A blob: has the origin of the page that made it.
  return parsed !== undefined && /^https?:\/\//.test(parsed.origin) ? parsed.origin : undefined;
}

function plainOriginOf(value: string): string | undefined {
  // A host name may contain `*`, but here it means a pattern.
  return /^https?:/i.test(value) && !value.includes('*') ? webOriginOf(value) : undefined;
}

function exampleFor(value: string): string {
  const origin = plainOriginOf(value);
  const example = origin === undefined ? 'such as https://shop.example' : `here ${origin}`;
  return `an http or https origin (scheme, host and port, nothing else), ${example}`;
}

export const OriginSchema = z.string().refine((value) => plainOriginOf(value) === value, {
  error: ({ input }) => `expected ${exampleFor(String(input))}`,
});

const BELOW = /^(https?:\/\/)\*\.(?=[^*]+$)/;

/** An origin, or `https://*.shop.example` for every name below a host. */
export const OriginPatternSchema = z.string().refine(
  (value) => {
    const plain = value.replace(BELOW, '$1');
    return plainOriginOf(plain) === plain;
  },
  {
    error: ({ input }) => `expected ${exampleFor(String(input))}, or https://*.shop.example for all names below a host`,
  },
);

const ANY_PORT = /^(.*):(\*)$/;

/** An origin pattern of an operator, who may leave the port open: `http://127.0.0.1:*`. */
export const OperatorOriginSchema = z
  .string()
  .refine((value) => OriginPatternSchema.safeParse(value.replace(ANY_PORT, '$1')).success, {
    error: ({ input }) => `expected ${exampleFor(String(input))}, got ${String(input)}`,
  });

/** A host as an address has it (IPv6 in brackets, small letters), and a port. */
export interface Endpoint {
  host: string;
  port: number;
}

export function endpointOf(url: string): (Endpoint & { protocol: string }) | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const byDefault = parsed === undefined ? undefined : DEFAULT_PORT[parsed.protocol];
  if (parsed === undefined || byDefault === undefined) return undefined;
  return {
    protocol: parsed.protocol,
    host: parsed.hostname,
    port: parsed.port === '' ? byDefault : Number(parsed.port),
  };
}

/** Whether the pattern has this host and port: all that is known of a tunnel before it is open. */
export function matchesEndpoint(pattern: string, { host, port }: Endpoint): boolean {
  const [, plain = pattern, anyPort] = ANY_PORT.exec(pattern) ?? [];
  const allowed = endpointOf(plain.replace(BELOW, '$1'));
  if (allowed === undefined || (anyPort === undefined && allowed.port !== port)) return false;
  return BELOW.test(plain) ? host.endsWith(`.${allowed.host}`) : host === allowed.host;
}

/** The same for an address, whose scheme counts too. Addresses that need no network match. */
export function matchesUrl(pattern: string, url: string): boolean {
  const asked = endpointOf(url);
  if (asked === undefined) return true;
  const scheme = asked.protocol.endsWith('s:') ? 'https:' : 'http:';
  return pattern.startsWith(scheme) && matchesEndpoint(pattern, asked);
}

/** Says that the session was refused this address. */
export function notAllowed(url: string): string {
  return `${webOriginOf(url) ?? url} is not among the origins that this session may reach, so nothing was sent there.`;
}
