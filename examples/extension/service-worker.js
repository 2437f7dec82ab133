// Chrome starts this service worker for events and ends it when it is idle: everything lasting is in chrome.storage.
import { connect, disconnect } from './relay.js';

async function pair({ api, token }) {
  const response = await fetch(new URL('/v1/browser-sessions/register', api), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pairing_token: token }),
  });
  const { data, error } = await response.json();
  if (data === undefined) return { text: error?.message ?? 'The server gave no answer that can be read.' };
  await disconnect();
  await chrome.storage.local.set({ server: { api, sessionToken: data.session_token } });
  await connect();
  return await state();
}

async function state() {
  const { server } = await chrome.storage.local.get('server');
  const { state: text } = await chrome.storage.session.get('state');
  return { text: text ?? (server === undefined ? 'Not paired.' : 'Connecting.') };
}

async function answer(message) {
  if (message.kind === 'pair') return await pair(message);
  if (message.kind === 'forget') await disconnect();
  return await state();
}

chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  answer(message).then(reply, (error) => reply({ text: `That did not work: ${error.message}` }));
  return true;
});
// The server's pings keep this worker alive; if Chrome ends it anyway, the alarm restarts it.
chrome.alarms.create('connect', { periodInMinutes: 0.5 });
chrome.alarms.onAlarm.addListener(() => void connect());
chrome.runtime.onStartup.addListener(() => void connect());
void connect();
