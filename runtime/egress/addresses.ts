import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

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
  // Networks that embed IPv4 addresses: IPv4-compatible, translated, 6to4, Teredo, NAT64.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['2002::', 16],
  ['2001::', 32],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

/** Link-local and group addresses, and where clouds answer questions about the machine: no request is given these. */
const RESERVED: [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
  ['::', 128],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['fe80::', 10],
  ['ff00::', 8],
];

const METADATA_NAME = /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data(?:\.ec2\.internal)?)\.?$/;

const privateList = listOf(PRIVATE);
const reservedList = listOf(RESERVED);

/** True also for IPv4 addresses written as IPv6 (`::ffff:10.0.0.1`), and for every address of this machine. */
export function isPrivateAddress(address: string): boolean {
  return isIn(privateList, address) || isReservedAddress(address) || isOwnAddress(address);
}

export function isReservedAddress(address: string): boolean {
  return isIn(reservedList, address);
}

export function isReservedName(host: string): boolean {
  return METADATA_NAME.test(host);
}

/** An address by which this machine reaches itself. */
export function isOwnAddress(address: string): boolean {
  if (isIn(ownList, address)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));
}

const ownList = listOf([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['::', 127],
]);

function listOf(subnets: readonly (readonly [address: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
