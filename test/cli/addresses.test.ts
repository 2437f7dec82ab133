import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { checkAddresses } from '../../cli/doctor/addresses';
import { commandToTry } from '../../cli/stack/local-stack';
import { stackPorts } from '../../cli/stack/ports/ports';

test('doctor names the addresses of the stack that answer, and what does not', async () => {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shop = 'http://127.0.0.1:1';
  const [ofApi, ofShop] = await checkAddresses({ api, shop });
  server.close();
  expect(ofApi).toMatchObject({ name: 'API', health: 'good', message: expect.stringContaining(`answers at ${api}`) });
  expect(ofShop).toMatchObject({ name: 'Shop', health: 'poor', message: expect.stringContaining(shop) });
  expect(await checkAddresses({})).toEqual([]);
});

test('the command that a stack suggests for its own ports is the one of README for the usual ones', () => {
  const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
  expect(readme).toContain(`\n${commandToTry(`http://127.0.0.1:${stackPorts.shop.preferred}`)}\n`);
  expect(readme).toContain(`localhost:${stackPorts.api.preferred}/v1/sessions`);
});
