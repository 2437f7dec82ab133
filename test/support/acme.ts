import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

/** A site that people sign in to. Its cookie is replaced at each visit of /home: who comes with an older one is sent to /login. */
export interface Acme {
  url: string;
  /** The cookie that is valid now. */
  token(): string | undefined;
  /** How often somebody has signed in. */
  signIns(): number;
  /** How many orders it has taken. */
  orders(): number;
  /** Nobody is signed in any more. */
  expire(): void;
  /** Holds the answers to /slow back, until the function that it returns is called. */
  hold(): () => void;
  /** Whether an answer is held back. */
  isHeld(): boolean;
  stop(): void;
}

/** Says whether this browser was here before: in localStorage, in IndexedDB, and in the sessionStorage of its tab. */
const REMEMBERS = `
  const request = indexedDB.open('acme', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('devices', { keyPath: 'id' });
  request.onsuccess = () => {
    const store = request.result.transaction('devices', 'readwrite').objectStore('devices');
    const found = store.get('this');
    found.onsuccess = () => {
      const known = [localStorage.device, found.result?.name, sessionStorage.device].join();
      localStorage.device = sessionStorage.device = 'known';
      store.put({ id: 'this', name: 'known' }).onsuccess = () => {
        document.querySelector('p').textContent = 'Device: ' + known + '.';
      };
    };
  };`;

export async function startAcme(): Promise<Acme> {
  let token: string | undefined;
  let signIns = 0;
  let orders = 0;
  let held = 0;
  let answering: Promise<void> = Promise.resolve();
  const show = (response: ServerResponse, body: string): void => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Acme</title>${body}`);
  };
  const lead = (response: ServerResponse, location: string, cookie?: string): void => {
    response.writeHead(303, { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) });
    response.end();
  };
  const give = (): string => `sid=${(token = randomUUID())}; Path=/; HttpOnly; Max-Age=86400`;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://acme');
    const isSignedIn = token !== undefined && request.headers.cookie?.includes(`sid=${token}`) === true;
    if (pathname === '/login' && request.method === 'POST') {
      signIns += 1;
      return lead(response, '/home', give());
    }
    if (pathname === '/login')
      return show(
        response,
        '<h1>Sign in</h1><form method="post"><label>User <input name="user"></label><label>Password <input name="password" type="password"></label><button>Sign in</button></form>',
      );
    if (pathname === '/sign-out') {
      response.setHeader('set-cookie', 'sid=; Path=/; Max-Age=0');
      return show(response, '<h1>Bye</h1>');
    }
    if (!isSignedIn) return lead(response, '/login');
    if (request.method === 'POST') {
      orders += 1;
      if (pathname === '/last-order') token = undefined;
      return lead(response, '/page');
    }
    if (pathname === '/slow') {
      held += 1;
      await answering;
      held -= 1;
    }
    if (pathname === '/home') response.setHeader('set-cookie', give());
    const name = pathname.slice(1);
    show(
      response,
      `<h1>Signed in, ${name}</h1><p></p><a href="/next">Next</a><form method="post" action="/order"><button>Order</button><button formaction="/last-order">Order last</button></form><script>${REMEMBERS}</script>`,
    );
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: () => token,
    signIns: () => signIns,
    orders: () => orders,
    expire: () => (token = undefined),
    isHeld: () => held > 0,
    hold() {
      let release = (): void => {};
      answering = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
