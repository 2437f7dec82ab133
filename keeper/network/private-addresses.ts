import { BlockList, isIPv6 } from 'node:net';

/** Networks outside the public Internet, and those that lead to them. */
const PRIVATE: [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['::1', 128],
  // Networks that embed IPv4 addresses: 6to4, Teredo, NAT64.
  ['2002::', 16],
  ['2001::', 32],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

const list = new BlockList();
for (const [address, prefix] of PRIVATE) list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');

/** True also for IPv4 addresses written as IPv6 (`::ffff:10.0.0.1`). */
export function isPrivateAddress(address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
