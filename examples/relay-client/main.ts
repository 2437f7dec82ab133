// npx node dist/examples/relay-client/main.js <address of the API> <pairing token>
// Offers a Chromium of this machine as a browser of the API, until Ctrl-C.
import { chromium } from 'playwright';
import { createApiClient } from '../../client/http/api-client';
import { createBrowserTools } from './browser-tools';
import { connectRelay } from '../../client/remote-browser/connect';

async function main(): Promise<void> {
  const [api, pairingToken] = process.argv.slice(2);
  if (api === undefined || pairingToken === undefined) {
    throw new Error('Expected the address of the API and a pairing token (POST /v1/browser-sessions/pair).');
  }
  const registered = await createApiClient(api).registerBrowser({ pairing_token: pairingToken });

  const executablePath = process.env['CHROMIUM_PATH'];
  const browser = await chromium.launch({
    headless: process.env['HEADLESS'] !== 'false',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  const page = await browser.newPage();
  console.log(`browser session ${registered.browser_session_id}`);
  const ended = new Promise<string>((resolve) => {
    const client = connectRelay({
      api,
      sessionToken: registered.session_token,
      execute: createBrowserTools(page),
      onState(state) {
        console.log(state.kind);
        if (state.kind === 'ended') resolve(state.reason);
      },
    });
    process.once('SIGINT', () => client.close());
    process.once('SIGTERM', () => client.close());
  });
  console.log(await ended);
  await browser.close();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
