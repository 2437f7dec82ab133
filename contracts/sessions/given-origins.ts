import { PUBLIC_NETWORK } from '../browsers/network-policy';
import { webOriginOf } from '../browsers/origins';
import type { SessionConfig } from './config';
import { linesOf, type Check } from './site-check';

/** A step as a request has it. */
type GivenStep =
  | string
  | { instruction: string; check?: Check | undefined }
  | { task: string; url?: string | undefined; context?: string | undefined; check?: Check | undefined }
  | { tool: string; check?: Check | undefined }
  | { extract: string; url?: string | undefined };

const ADDRESS = /https?:\/\/[^\s"'<>`(){}|\\]+/gi;
/** An address of this machine or of a network, as people write it in a sentence: `localhost:4000`. */
const BARE = /(?<![\w.:/@-])(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}(?![\w:])/gi;
const NAME_IN_TEXT = /\$\{([a-zA-Z_]\w*)\}/g;

/**
 * The origins that the caller's own texts name: addresses in steps, tasks and checks, and variables of theirs that are one. The
 * context of a task does not count: it is where callers put what others wrote. Nor do calls of tools, which an agent
 * makes that reads pages.
 */
export function namedOrigins(
  inputs: readonly GivenStep[],
  variables: Readonly<Record<string, unknown>> = {},
): string[] {
  const fill = (text: string): string =>
    text.replace(NAME_IN_TEXT, (whole, name: string) => {
      const value = variables[name];
      // Text that merely contains an address may come from anybody.
      return typeof value === 'string' && webOriginOf(value) !== undefined && !/\s/.test(value) ? value : whole;
    });
  const texts = inputs.flatMap((input) => {
    if (typeof input === 'string') return [fill(input)];
    if ('extract' in input) return [fill(input.extract), input.url ?? ''];
    const looks = input.check === undefined ? [] : linesOf(input.check).map(fill);
    if ('tool' in input) return looks;
    return 'task' in input ? [fill(input.task), input.url ?? '', ...looks] : [fill(input.instruction), ...looks];
  });
  const origins = texts.flatMap((text) => [
    ...[...text.matchAll(ADDRESS)].map(([url]) => webOriginOf(url)),
    ...[...text.replace(ADDRESS, ' ').matchAll(BARE)].map(([address]) => webOriginOf(`http://${address}`)),
  ]);
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

/** The config with what further steps name. */
export function withGivenOrigins(
  config: SessionConfig,
  inputs: readonly GivenStep[],
  variables?: Readonly<Record<string, unknown>>,
): SessionConfig {
  return withNamedOrigins(config, namedOrigins(inputs, variables));
}

/**
 * The config with these origins of the caller. Of a session with `allowedOrigins` nothing changes: it reaches those alone.
 * Names are kept only where they may lead to a private address; the public ones are reached anyway.
 */
export function withNamedOrigins(config: SessionConfig, named: readonly string[]): SessionConfig {
  const { network = PUBLIC_NETWORK } = config.executor;
  const { allowedOrigins, allowPrivateAddresses, givenOrigins: known = [] } = network;
  if (allowedOrigins !== undefined) return config;
  const given = named.filter((origin) => (allowPrivateAddresses || isAddressOrigin(origin)) && !known.includes(origin));
  if (given.length === 0) return config;
  return { ...config, executor: { ...config.executor, network: { ...network, givenOrigins: [...known, ...given] } } };
}

/** Whether the host of an origin is written as an address or is this machine: all others are looked up by name. */
function isAddressOrigin(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname) || /^(?:.*\.)?localhost$/.test(hostname);
}
