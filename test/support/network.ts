import { execFileSync } from 'node:child_process';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A place in the network that can be cut off from the servers and given back its link. */
export interface NetworkPlace {
  /** What a process of this place is started through. */
  through: readonly string[];
  cut(): void;
  restore(): void;
}

/** Servers of this machine, reached from places that can be cut off. */
export interface Network {
  /** Which way it runs: network namespaces, or forwarders on loopback where those can't be made. */
  way: 'namespaces' | 'loopback';
  reason: string;
  places: readonly [NetworkPlace, NetworkPlace];
  /** An address by which the place reaches a port of this machine's loopback. */
  forward(place: NetworkPlace, port: number): Promise<string>;
  /** An address of a web server for both places; what it is asked is noted. */
  forwardSite(port: number): Promise<{ url: string; asked: { at: number; line: string }[] }>;
  close(): Promise<void>;
}

const MARK = process.pid % 200;
const SERVERS = `10.213.${MARK}.1`;

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** A namespace with one link to this machine. Packets to a link that is down go nowhere, not out into the world. */
function createNamespace(letter: string, second: number): NetworkPlace & { close(): void } {
  const [name, outer, inner] = [
    `surefoot${process.pid}${letter}`,
    `sf${process.pid}${letter}o`,
    `sf${process.pid}${letter}i`,
  ];
  const subnet = `10.${second}.${MARK}`;
  const close = (): void => {
    for (const args of [
      ['route', 'del', 'blackhole', `${subnet}.0/24`],
      ['link', 'del', outer],
      ['netns', 'del', name],
    ]) {
      try {
        ip(...args);
      } catch {
        // It was never made.
      }
    }
  };
  try {
    ip('netns', 'add', name);
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner);
    ip('link', 'set', inner, 'netns', name);
    ip('addr', 'add', `${subnet}.1/24`, 'dev', outer);
    ip('link', 'set', outer, 'up');
    ip('route', 'add', 'blackhole', `${subnet}.0/24`, 'metric', '4000');
    ip('-n', name, 'addr', 'add', `${subnet}.2/24`, 'dev', inner);
    ip('-n', name, 'link', 'set', inner, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'route', 'add', 'default', 'via', `${subnet}.1`);
  } catch (error) {
    close();
    throw error;
  }
  return {
    through: ['ip', 'netns', 'exec', name],
    cut: () => ip('link', 'set', outer, 'down'),
    restore: () => ip('link', 'set', outer, 'up'),
    close,
  };
}

/** Forwards connections; while `isCut` says so nothing moves in either direction, as on a link that is down. */
async function forwarder(
  target: number,
  host: string,
  hooks: { sockets: Set<Socket>; isCut: () => boolean; onData?: (data: Buffer) => void },
): Promise<Server> {
  const server = createServer((from) => {
    const to = connect({ host: '127.0.0.1', port: target });
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      hooks.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        hooks.sockets.delete(one);
        other.destroy();
      });
    }
    from.on('data', (data) => hooks.onData?.(data));
    from.pipe(to).pipe(from);
    if (hooks.isCut()) for (const socket of [from, to]) socket.pause();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return server;
}

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+/;

export async function openNetwork(): Promise<Network> {
  const made: { close(): void }[] = [];
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let way: Network['way'] = 'namespaces';
  let reason = 'each host in a network namespace of its own';
  let serversAt = SERVERS;
  let places: Network['places'];
  const socketsOf = new Map<NetworkPlace, Set<Socket>>();
  const cutOff = new Set<NetworkPlace>();
  try {
    ip('addr', 'add', `${SERVERS}/32`, 'dev', 'lo');
    made.push({ close: () => ip('addr', 'del', `${SERVERS}/32`, 'dev', 'lo') });
    const first = createNamespace('a', 214);
    made.push(first);
    const second = createNamespace('b', 215);
    made.push(second);
    places = [first, second];
  } catch (error) {
    way = 'loopback';
    reason = `network namespaces can't be made here (${String(error).split('\n')[0]}); links are cut in forwarders on loopback`;
    serversAt = '127.0.0.1';
    const place = (): NetworkPlace => {
      const own = new Set<Socket>();
      const made: NetworkPlace = {
        through: [],
        cut() {
          cutOff.add(made);
          for (const socket of own) socket.pause();
        },
        restore() {
          cutOff.delete(made);
          for (const socket of own) socket.resume();
        },
      };
      socketsOf.set(made, own);
      return made;
    };
    places = [place(), place()];
  }
  const listen = async (port: number, hooks: Parameters<typeof forwarder>[2]): Promise<string> => {
    const server = await forwarder(port, serversAt, hooks);
    servers.push(server);
    return `${serversAt}:${(server.address() as AddressInfo).port}`;
  };
  return {
    way,
    reason,
    places,
    forward: (place, port) =>
      listen(port, { sockets: socketsOf.get(place) ?? sockets, isCut: () => cutOff.has(place) }),
    async forwardSite(port) {
      const asked: { at: number; line: string }[] = [];
      const onData = (data: Buffer): void => {
        const line = REQUEST.exec(data.toString('latin1'))?.[0];
        if (line !== undefined) asked.push({ at: Date.now(), line });
      };
      return { url: `http://${await listen(port, { sockets, isCut: () => false, onData })}`, asked };
    },
    async close() {
      for (const socket of [...sockets, ...[...socketsOf.values()].flatMap((own) => [...own])]) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      for (const each of made.reverse()) each.close();
    },
  };
}
