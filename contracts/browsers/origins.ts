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

/** Where a session may go. Enforced by the keeper's proxy; a session without one goes anywhere. */
export const NetworkPolicySchema = z.strictObject({
  allowedOrigins: z.array(z.string()),
  /** Whether an allowed name may lead to an address of this machine or of a private network. */
  allowPrivateAddresses: z.boolean(),
});
export type NetworkPolicy = z.infer<typeof NetworkPolicySchema>;

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

/** Whether some allowed origin has this host and port: all that is known of a tunnel before it is open. */
export function allowsEndpoint({ allowedOrigins }: NetworkPolicy, { host, port }: Endpoint): boolean {
  return allowedOrigins.some((pattern) => isOf(pattern, host, port));
}

/** The same for an address, whose scheme counts too. Addresses that need no network are allowed. */
export function allowsUrl({ allowedOrigins }: NetworkPolicy, url: string): boolean {
  const asked = endpointOf(url);
  if (asked === undefined) return true;
  const scheme = asked.protocol.endsWith('s:') ? 'https:' : 'http:';
  return allowedOrigins.some((pattern) => pattern.startsWith(scheme) && isOf(pattern, asked.host, asked.port));
}

function isOf(pattern: string, host: string, port: number): boolean {
  const allowed = endpointOf(pattern.replace(BELOW, '$1'));
  if (allowed === undefined || allowed.port !== port) return false;
  return BELOW.test(pattern) ? host.endsWith(`.${allowed.host}`) : host === allowed.host;
}

/** The error message for an address that is not allowed. */
export function notAllowed(url: string): string {
  return `${webOriginOf(url) ?? url} is not among the allowedOrigins of this session, so nothing was sent there.`;
}
