import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  type WebAuthnCredential,
} from '@simplewebauthn/server';

/** A site at which one makes a passkey and signs in by it, checked by a WebAuthn server as sites have one. */
export interface PasskeySite {
  url: string;
  /** By their ids, with the count of uses that the site has seen last. */
  credentials: Map<string, WebAuthnCredential>;
  close(): void;
}

/** The id of a site is a name, so it is reached as localhost. */
const SITE = 'localhost';

export async function startPasskeySite(): Promise<PasskeySite> {
  const credentials = new Map<string, WebAuthnCredential>();
  let expectedChallenge = '';
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://${SITE}:${(server.address() as AddressInfo).port}`;
  const expected = () => ({ expectedChallenge, expectedOrigin: url, expectedRPID: SITE });

  const answers: Record<string, (body: unknown) => Promise<object>> = {
    async '/make/options'() {
      const options = await generateRegistrationOptions({
        rpName: 'Shop',
        rpID: SITE,
        userName: 'ada',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      expectedChallenge = options.challenge;
      return options;
    },
    async '/make'(body) {
      const { registrationInfo } = await verifyRegistrationResponse({
        response: body as RegistrationResponseJSON,
        ...expected(),
      });
      if (registrationInfo === undefined) return { says: 'No passkey was made' };
      credentials.set(registrationInfo.credential.id, registrationInfo.credential);
      return { says: 'The passkey is made' };
    },
    async '/use/options'() {
      const options = await generateAuthenticationOptions({ rpID: SITE, userVerification: 'required' });
      expectedChallenge = options.challenge;
      return options;
    },
    async '/use'(body) {
      const response = body as AuthenticationResponseJSON;
      const credential = credentials.get(response.id);
      if (credential === undefined) return { says: 'That passkey is unknown' };
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        credential,
        ...expected(),
      });
      if (verified) credential.counter = authenticationInfo.newCounter;
      return { says: verified ? 'Signed in by passkey' : 'That passkey is refused' };
    },
  };
  server.on('request', (request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === undefined) return response.setHeader('content-type', 'text/html').end(PAGE);
    void bodyOf(request)
      .then(answer)
      .catch((error: Error) => ({ says: `Refused: ${error.message}` }))
      .then((json) => response.setHeader('content-type', 'application/json').end(JSON.stringify(json)));
  });
  return {
    url,
    credentials,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = (await request.toArray()).join('');
  return text === '' ? {} : JSON.parse(text);
}

const PAGE = `<!doctype html><title>Passkeys</title><h1 id="says">Signed out</h1>
<button id="make">Make a passkey</button> <button id="use">Sign in with a passkey</button>
<script>
  const send = async (path, body = {}) =>
    (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json();
  const say = (text) => (document.getElementById('says').textContent = text);
  document.getElementById('make').onclick = async () => {
    try {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await send('/make/options'));
      say((await send('/make', (await navigator.credentials.create({ publicKey })).toJSON())).says);
    } catch (error) { say('Failed: ' + error.message); }
  };
  document.getElementById('use').onclick = async () => {
    try {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await send('/use/options'));
      say((await send('/use', (await navigator.credentials.get({ publicKey })).toJSON())).says);
    } catch (error) { say('Failed: ' + error.message); }
  };
</script>`;
