// npx node dist/examples/relay-client/main.js <address of the API> <pairing token>
// Offers a Chromium of this machine as a browser of the API, until Ctrl-C.
import { chromium } from 'playwright';
import { z } from 'zod';
import { createBrowserTools } from './browser-tools';
import { connectRelay } from './connect';

const AnswerSchema = z.object({
  data: z.object({ browser_session_id: z.string(), session_token: z.string() }).optional(),
  error: z.object({ message: z.string() }).optional(),
});

async function main(): Promise<void> {
  const [api, pairingToken] = process.argv.slice(2);
  if (api === undefined || pairingToken === undefined) {
    throw new Error('Expected the address of the API and a pairing token (POST /v1/browser-sessions/pair).');
  }
  const response = await fetch(new URL('/v1/browser-sessions/register', api), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pairing_token: pairingToken }),
  });
  const { data, error } = AnswerSchema.parse(await response.json());
  if (data === undefined) throw new Error(error?.message ?? 'The API gave no answer that can be read.');

  const executablePath = process.env['CHROMIUM_PATH'];
  const browser = await chromium.launch({
    headless: process.env['HEADLESS'] !== 'false',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  const page = await browser.newPage();
  console.log(`browser session ${data.browser_session_id}`);
  const ended = new Promise<string>((resolve) => {
    const client = connectRelay({
      api,
      sessionToken: data.session_token,
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
