import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import hoodiecrow from 'hoodiecrow-imap';

export interface SentMail {
  from?: string;
  subject?: string;
  /** Markup where it begins with `<`. */
  body: string;
  at?: Date;
}

/** A mailbox by IMAP, without TLS on the loopback. */
export interface MailServer {
  port: number;
  user: string;
  password: string;
  /** How often somebody has connected. */
  readonly connections: number;
  deliver(mail: SentMail): void;
  close(): void;
}

export async function startMailServer(): Promise<MailServer> {
  const user = 'robot@shop.test';
  const password = 'mail-pass-5117';
  const server = hoodiecrow({
    plugins: ['ID', 'SASL-IR', 'AUTH-PLAIN', 'NAMESPACE', 'LITERALPLUS', 'UNSELECT', 'SPECIAL-USE'],
    users: { [user]: { password } },
    storage: { INBOX: { messages: [] } },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const behind = (server.server.address() as AddressInfo).port;
  let connections = 0;
  const sockets = new Set<Socket>();
  // Of clients that die, the server knows nothing by itself.
  const front = createServer((socket) => {
    connections += 1;
    const onward = createConnection(behind, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    port: (front.address() as AddressInfo).port,
    user,
    password,
    get connections() {
      return connections;
    },
    deliver({ from = 'Acme <no-reply@acme.test>', subject = 'Sign in', body, at = new Date() }) {
      const type = body.startsWith('<') ? 'html' : 'plain';
      const head = [`From: ${from}`, `To: ${user}`, `Subject: ${subject}`, `Content-Type: text/${type}; charset=utf-8`];
      server.appendMessage('INBOX', [], at, `${head.join('\r\n')}\r\n\r\n${body}`);
    },
    close() {
      for (const socket of sockets) socket.destroy();
      front.close();
      server.server.close();
    },
  };
}
