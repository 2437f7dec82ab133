import { connect, createServer, type AddressInfo } from 'node:net';
import { attachWhenAnswered } from '../../../activities/browser/attach';
import { openBrowserStage, type BrowserStage } from '../../support/browser-stage';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

/** Passes bytes on both ways until Chrome's first answer that has this in it. */
async function cutAt(endpoint: string, marker: string): Promise<{ endpoint: string; close: () => void }> {
  const to = new URL(endpoint);
  const server = createServer((client) => {
    const chrome = connect(Number(to.port), to.hostname);
    const cut = (): void => {
      client.destroy();
      chrome.destroy();
    };
    for (const socket of [client, chrome]) socket.on('error', cut).on('close', cut);
    client.pipe(chrome);
    chrome.on('data', (bytes) => (bytes.includes(marker) ? cut() : client.write(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  to.port = String((server.address() as AddressInfo).port);
  return { endpoint: to.href, close: () => server.close() };
}

test('a relay that is cut after the connection, before the tabs are known, costs an attempt and not the session', async () => {
  const session = await stage.newSession();
  await session.open(stage.page('/quiet', '<h1>Quiet</h1>'));
  const keeper = await stage.worker('second').attachments.keeper();
  const access = await keeper.openRelay(session.sessionId, session.lease!.epoch + 1);
  const relay = await cutAt(access.endpoint, '"result":{"targetInfo"');
  const attaching = attachWhenAnswered(
    { ...access, endpoint: relay.endpoint },
    {
      keeper: () => Promise.resolve(keeper),
      targetId: null,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      mayGoOn: () => {},
    },
  );
  await expect(attaching).rejects.toMatchObject({ code: 'EX001', more: { isTemporary: true } });
  relay.close();
});
