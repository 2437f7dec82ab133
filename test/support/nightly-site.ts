import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { URI, type TOTP } from 'otpauth';

/**
 * A site on which somebody pays one invoice each night, with a date of its own: each night has an invoice that stays open until
 * it is paid. It pays as often as it is asked to.
 */
export interface NightlySite {
  url: string;
  /** The night that the site has, from 1 on. */
  night: number;
  /** `unavailable` answers everything but its sign-in with 503, `dropping` breaks each connection. */
  state: 'up' | 'unavailable' | 'dropping';
  /** What the button that pays is called. */
  button: string;
  /** It has a sign-in confirmed by a code that it sends by SMS too. */
  sendsCode: boolean;
  /** The next payment finds the session expired. */
  expiresAtPayment: boolean;
  /** Holds payments back until the function that it returns is called: they are taken, and pages do not show them yet. */
  hold(): () => void;
  /** Nobody is signed in any more. */
  expire(): void;
  /** The payments that it has taken, each by its invoice. */
  payments: string[];
  /** What else was pressed. */
  rejected: string[];
  /** By the night of each, in order. */
  signIns: number[];
  /** Every one-time code that has arrived: from the app, and by SMS. */
  codes: { fromApp: string[]; bySms: string[] };
  /** What it has sent by SMS and nobody has typed yet. */
  sms: string[];
  close(): void;
}

export const USER = { name: 'ada', password: 'lovelace-1815' };

export const invoiceOf = (night: number): string => String(4700 + night);
export const amountOf = (invoice: string): number => (Number(invoice) % 100) * 10 + 0.5;
export const receiptOf = (invoice: string): string => `R-${invoice}-ok`;

type Form = URLSearchParams;

/** `seed` is the otpauth address of the user's authenticator app. */
export async function startNightlySite(seed: string): Promise<NightlySite> {
  const totp = URI.parse(seed) as TOTP;
  let session: string | undefined;
  let answering: Promise<void> = Promise.resolve();
  const settled = new Set<string>();
  /** How far the sign-in under way has got: the password was right, then the code of the app. */
  let signIn: 'none' | 'password' | 'app' = 'none';

  const open = (): string[] =>
    Array.from({ length: site.night }, (_, index) => invoiceOf(index + 1)).filter((invoice) => !settled.has(invoice));
  const finish = (response: ServerResponse): void => {
    signIn = 'none';
    session = randomUUID();
    site.signIns.push(site.night);
    lead(response, '/invoices', `sid=${session}; Path=/; HttpOnly; Max-Age=2592000`);
  };

  const signInPages: Record<string, (form: Form | undefined, response: ServerResponse) => void> = {
    '/login': (form, response) => {
      if (form === undefined) return show(response, 'Sign in', LOGIN);
      if (form.get('user') !== USER.name || form.get('password') !== USER.password)
        return show(response, 'Sign in', `<p role="alert">User or password is wrong</p>${LOGIN}`);
      signIn = 'password';
      lead(response, '/code');
    },
    '/code': (form, response) => {
      if (signIn === 'none') return lead(response, '/login');
      if (form === undefined) return show(response, 'Code', codeForm('Authenticator code'));
      const code = form.get('code') ?? '';
      const isRight = totp.validate({ token: code, window: 0 }) !== null && !site.codes.fromApp.includes(code);
      site.codes.fromApp.push(code);
      if (!isRight) return show(response, 'Code', `<p role="alert">Wrong code</p>${codeForm('Authenticator code')}`);
      if (!site.sendsCode) return finish(response);
      signIn = 'app';
      site.sms.push(`sms-${randomUUID().slice(0, 13)}`);
      lead(response, '/sms');
    },
    '/sms': (form, response) => {
      if (signIn !== 'app') return lead(response, '/login');
      if (form === undefined) return show(response, 'Code', codeForm('SMS code'));
      const code = form.get('code') ?? '';
      site.codes.bySms.push(code);
      if (site.sms[0] !== code) return show(response, 'Code', `<p role="alert">Wrong code</p>${codeForm('SMS code')}`);
      site.sms.shift();
      finish(response);
    },
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const form = request.method === 'POST' ? new URLSearchParams(body) : undefined;
    if (site.state === 'dropping') return void request.socket.destroy();
    const signInPage = signInPages[pathname];
    if (signInPage !== undefined) return signInPage(form, response);
    if (site.state === 'unavailable') return show(response, 'Down for maintenance', '<h1>Back at six</h1>', 503);
    const [, , invoice = '', deed] = pathname.split('/');
    if (deed === 'pay' && site.expiresAtPayment) {
      site.expiresAtPayment = false;
      session = undefined;
    }
    if (session === undefined || request.headers.cookie?.includes(`sid=${session}`) !== true)
      return lead(response, '/login');
    if (form !== undefined) {
      (deed === 'pay' ? site.payments : site.rejected).push(invoice);
      await answering;
      if (deed === 'pay') settled.add(invoice);
      return lead(response, `/invoices/${invoice}`);
    }
    show(response, 'Invoices', invoice === '' ? listPage(site.night, open()) : invoicePage(invoice));
  };
  const invoicePage = (invoice: string): string => {
    const isPaid = settled.has(invoice);
    const receipt = isPaid ? `<dt>Receipt</dt><dd>${receiptOf(invoice)}</dd>` : '';
    const press = (deed: string, name: string): string =>
      `<form method="post" action="/invoices/${invoice}/${deed}"><button style="width:200px;height:60px">${name}</button></form>`;
    return `${signedIn(site.night)}<h1>Invoice ${invoice}</h1><dl><dt>Number</dt><dd>${invoice}</dd><dt>Amount</dt>
      <dd>€ ${amountOf(invoice).toFixed(2)}</dd><dt>Status</dt><dd>${isPaid ? 'paid' : 'open'}</dd>${receipt}</dl>
      ${isPaid ? '' : press('pay', site.button) + press('reject', 'Reject invoice')}`;
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: NightlySite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    night: 1,
    state: 'up',
    button: 'Pay invoice',
    sendsCode: false,
    expiresAtPayment: false,
    hold() {
      let release = (): void => {};
      answering = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    expire: () => (session = undefined),
    payments: [],
    rejected: [],
    signIns: [],
    codes: { fromApp: [], bySms: [] },
    sms: [],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}

function show(response: ServerResponse, title: string, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><title>${title}</title>${body}`);
}

function lead(response: ServerResponse, location: string, cookie?: string): void {
  response.writeHead(303, { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) });
  response.end();
}

const LOGIN = `<h1>Sign in</h1><form method="post"><label>User <input name="user"></label>
  <label>Password <input name="password" type="password"></label><button>Sign in</button></form>`;

const codeForm = (label: string): string =>
  `<h1>One more step</h1><form method="post"><label>${label} <input name="code"></label><button>Verify</button></form>`;

const signedIn = (night: number): string => `<p>Signed in as ${USER.name}, June ${night}</p>`;

function listPage(night: number, open: readonly string[]): string {
  const rows = open.map((invoice) => `<tr><td>${invoice}</td><td>€ ${amountOf(invoice).toFixed(2)}</td></tr>`).join('');
  const next = open[0] === undefined ? '' : `<dl><dt>Next invoice</dt><dd>${open[0]}</dd></dl>`;
  return `${signedIn(night)}<h1>Open invoices</h1>${next}<table><tr><th>Invoice</th><th>Amount</th></tr>${rows}</table>`;
}
