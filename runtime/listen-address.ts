import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { SettingsError } from './settings/setting';

/** Where a server is asked to listen, and what guards it there. */
export interface ListenWish {
  /** The variable that names the host. */
  setting: string;
  host: string;
  /** What is missing before it may listen beyond this machine, as sentences that name the setting; none where nothing is. */
  missing: readonly string[];
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Resolves the host to the address to listen on. Throws SettingsError where other machines could reach it and something is
 * missing: whatever the address is called (`0`, `::`, `[::]`, an address of a network card, a name that leads to one, IPv4
 * in IPv6), since it is judged by what the system makes of it.
 */
export async function addressToListenOn({ setting, host, missing }: ListenWish): Promise<string> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const addresses = await lookup(name, { all: true }).catch(() => []);
  const [first] = addresses;
  if (first === undefined)
    throw new SettingsError(
      `${setting} is ${host}, which is no address or name of this machine; 127.0.0.1 is for this machine alone.`,
    );
  const reachable = addresses.filter(({ address }) => !isLoopback(address));
  if (reachable.length === 0 || missing.length === 0) return (reachable[0] ?? first).address;
  throw new SettingsError(
    `${setting} is ${host}, so other machines could reach it. ${missing.join(' ')} Or leave ${setting} unset, for this machine alone.`,
  );
}

/** Whether only this machine reaches what listens at this address. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
