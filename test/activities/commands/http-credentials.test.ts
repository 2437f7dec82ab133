import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { a } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

const PASSWORD = 'p4ss "word" ü';
let stage: BrowserStage;
let site: Server;
let origin: string;
beforeAll(async () => {
  stage = await openBrowserStage();
  site = createServer(({ headers: { authorization = '' } }, response) => {
    const [user, password] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
    const isLetIn = user === 'ada' && password === PASSWORD;
    const challenge = isLetIn ? {} : { 'www-authenticate': 'Basic realm="Intranet"' };
    response.writeHead(isLetIn ? 200 : 401, { 'content-type': 'text/html', ...challenge });
    response.end(`<title>${isLetIn ? 'Welcome' : 'Who are you?'}</title>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.close();
  await stage.stop();
});

test('a secret signs in by HTTP at its origin, also after a takeover, and is published nowhere', async () => {
  const session = await stage.newSession({ secrets: { intranet: { origins: [origin], value: PASSWORD } } });
  const signIn = a('SET_HTTP_CREDENTIALS', { origin, username: 'ada', password: '${intranet}' });
  await session.did([signIn, a('OPEN_PAGE', { url: origin }), a('EXPECT', { title: 'Welcome' })]);
  await session.did([a('OPEN_PAGE', { url: `${origin}/next` }), a('EXPECT', { title: 'Welcome' })], {
    worker: 'second',
  });
  const stored = JSON.stringify([await session.log(), await session.journal()]);
  expect(stored).not.toContain('p4ss');
});

test('a secret is not set for an origin that is not its own, nor a password that is no secret', async () => {
  const session = await stage.newSession({
    secrets: { intranet: { origins: ['https://intranet.example'], value: PASSWORD } },
  });
  const tried = async (password: string): Promise<string> =>
    (await session.run([a('SET_HTTP_CREDENTIALS', { origin, username: 'ada', password })])).outcomes[0]!.message!;
  expect(await tried('${intranet}')).toContain('The secret intranet is only for https://intranet.example');
  expect(await tried('${unknown}')).toContain('The password must be a secret of this session');
  expect(await tried('plain')).toContain('expected the name of a secret of the session');
});
