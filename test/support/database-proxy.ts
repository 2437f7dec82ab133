import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What the proxy does to the connections that are made through it, or to the queries that are sent on them. */
export type Trouble =
  | 'none'
  /** Nothing listens. */
  | 'refuse'
  /** A query is answered by a reset of the connection. */
  | 'reset'
  /** A query is answered by the end of the connection. */
  | 'close'
  /** Connections are taken and never answered. */
  | 'silence'
  /** A query is answered by this SQLSTATE, and the end of the connection. */
  | { sqlState: string }
  /** A query with this text is carried out, with its transaction, and the connection is reset instead of the answer. */
  | { loseAnswerTo: string };

export interface DatabaseProxy {
  url: string;
  /** From now on, also on connections that are open. */
  make(trouble: Trouble): Promise<void>;
  close(): void;
}

/** A TCP proxy in front of a real Postgres that makes the troubles of a network and of a server that goes away. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  let trouble: Trouble = 'none';
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    // It was on its way when the port was closed.
    if (trouble === 'refuse') return void client.resetAndDestroy();
    const database = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => (sockets.delete(one), other.destroy()));
    }
    let isLost = false;
    client.on('data', (chunk) => {
      const isStart = chunk[0] === 0;
      if (typeof trouble === 'object' && 'loseAnswerTo' in trouble) {
        isLost ||= chunk.includes(trouble.loseAnswerTo);
        database.write(chunk);
      } else if (trouble === 'none' || (trouble === 'close' && isStart)) database.write(chunk);
      else if (trouble === 'reset') client.resetAndDestroy();
      else if (trouble === 'close') client.end();
      else if (typeof trouble === 'object' && 'sqlState' in trouble) client.end(fatal(trouble.sqlState));
    });
    database.on('data', (chunk) => {
      if (isLost && isCommitted(chunk)) client.resetAndDestroy();
      else if (trouble !== 'silence') client.write(chunk);
    });
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    async make(next) {
      trouble = next;
      if (next === 'refuse' && server.listening) {
        server.close();
        cut();
      }
      if (next === 'silence') cut();
      if (next !== 'refuse' && !server.listening) await listen(own);
    },
    close() {
      if (server.listening) server.close();
      cut();
    },
  };
}

/** The answer has a tag of CommandComplete, and its ReadyForQuery says that no transaction is open: what was asked is done. */
function isCommitted(answer: Buffer): boolean {
  return /INSERT|COMMIT/.test(answer.toString('latin1')) && answer.subarray(-6).equals(IDLE);
}

const IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** ErrorResponse of the Postgres protocol. */
function fatal(sqlState: string): Buffer {
  const fields = Buffer.from(
    ['S', 'FATAL\0', 'V', 'FATAL\0', 'C', `${sqlState}\0`, 'M', 'made by the proxy\0', '\0'].join(''),
  );
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
