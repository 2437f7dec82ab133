import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { addressToListenOn, isLoopback } from '../../runtime/listen-address';
import { SettingsError } from '../../runtime/settings/setting';

const missing = ['Set SUREFOOT_API_TOKEN.'];
const wish = (host: string, lacks = missing) => addressToListenOn({ setting: 'HOST', host, missing: lacks });

const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const ofNetworkCards = own.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address);
const everywhere = [
  '0.0.0.0',
  '0',
  '0x0',
  '00.0',
  '::',
  '[::]',
  '0:0:0:0:0:0:0:0',
  '[::0]',
  '::ffff:0.0.0.0',
  '::ffff:0:0',
];
const mapped = ofNetworkCards.filter((address) => address.includes('.')).map((address) => `::ffff:${address}`);

test.each([...everywhere, ...ofNetworkCards, ...mapped])(
  'nothing listens at %s, which other machines reach, while something is missing that guards it',
  async (host) => {
    await expect(wish(host)).rejects.toThrow(
      new SettingsError(
        `HOST is ${host}, so other machines could reach it. Set SUREFOOT_API_TOKEN. Or leave HOST unset, for this machine alone.`,
      ),
    );
    expect(isLoopback(await wish(host, []))).toBe(false);
  },
);

test('the name of this machine is judged by the address that it leads to', async () => {
  const leadsOut = await wish(hostname(), []).then(
    (address) => !isLoopback(address),
    () => false,
  );
  const refused = await wish(hostname()).then(
    () => false,
    (error: Error) => /could reach it/.test(error.message),
  );
  expect(refused).toBe(leadsOut);
});

test.each(['127.0.0.1', '127.1', '127.200.3.4', '2130706433', '::1', '[::1]', 'localhost', '::ffff:127.0.0.1'])(
  '%s is this machine alone, and needs nothing',
  async (host) => expect(isLoopback(await wish(host))).toBe(true),
);

test('a name that leads nowhere is refused with what would do', async () => {
  await expect(wish('no-such-name.invalid')).rejects.toThrow(
    'HOST is no-such-name.invalid, which is no address or name of this machine; 127.0.0.1 is for this machine alone.',
  );
});

test('what is answered can be listened on', async () => {
  for (const host of ['localhost', '0', '[::1]']) {
    const server = createServer().listen(0, await wish(host, []));
    await once(server, 'listening');
    expect(server.listening).toBe(true);
    server.close();
  }
});
