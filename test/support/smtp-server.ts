import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A server that takes mails, with a password, after STARTTLS. */
export interface SmtpServer {
  url: string;
  user: string;
  password: string;
  /** What it has taken, in order. */
  mails(): Promise<{ to: string; mail: Email }[]>;
  /** It answers the next mails to this address so, one after another. */
  refuse(address: string, ...answers: { code: number; says: string }[]): void;
  /** It takes the next mail to this address and does not answer; resolves once it has it. */
  hold(address: string): Promise<void>;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const [user, password] = ['robot', 'smtp pass/4711'];
  const taken: { to: string; bytes: Buffer }[] = [];
  const refusals = new Map<string, { code: number; says: string }[]>();
  const holds = new Map<string, () => void>();
  const server = new SMTPServer({
    // Silences that its certificate is a public one.
    logger: false,
    onAuth: ({ username, password: given }, _session, done) =>
      username === user && given === password
        ? done(null, { user })
        : done(Object.assign(new Error(`Wrong password ${given}`), { responseCode: 535 })),
    onRcptTo: ({ address }, _session, done) => {
      const refusal = refusals.get(address)?.shift();
      done(refusal && Object.assign(new Error(refusal.says), { responseCode: refusal.code }));
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        for (const { address } of envelope.rcptTo) taken.push({ to: address, bytes: Buffer.concat(chunks) });
        const held = envelope.rcptTo.find(({ address }) => holds.has(address))?.address;
        if (held === undefined) return done();
        holds.get(held)!();
        holds.delete(held);
      });
    },
  });
  // A client that goes away is no error of the server's.
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    url: `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    user,
    password,
    mails: () => Promise.all(taken.map(async ({ to, bytes }) => ({ to, mail: await PostalMime.parse(bytes) }))),
    refuse: (address, ...answers) => void refusals.set(address, answers),
    hold: (address) => new Promise((resolve) => holds.set(address, resolve)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
