import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parse } from 'yaml';

const ComposeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.string().optional(),
      environment: z.record(z.string(), z.string().nullable()).optional(),
      volumes: z.array(z.string()).optional(),
      cap_drop: z.array(z.string()).optional(),
      security_opt: z.array(z.string()).optional(),
    }),
  ),
});

const text = readFileSync(join(__dirname, '../../docker-compose.yml'), 'utf8');
const { services } = ComposeSchema.parse(parse(text, { merge: true }));
/** The containers of our image: each has a home of its own. */
const own = Object.entries(services).filter(([, { build }]) => build !== undefined);

test('docker-compose.yml starts no container of ours without a secret key, and says how to make one', () => {
  expect(own.map(([name]) => name).sort()).toEqual(['api', 'engine', 'worker']);
  for (const [, { environment }] of own)
    // Compose itself refuses to start: `:?` stands for a variable that is unset or empty, and what follows is printed.
    expect(environment?.['SUREFOOT_SECRET_KEY']).toMatch(
      /^\$\{SUREFOOT_SECRET_KEY:\?set it to .*`openssl rand -hex 32`/,
    );
});

test('docker-compose.yml hands the token, the payload keys, the connection of Temporal and the folder of secrets to each of them', () => {
  for (const [, { environment = {}, volumes }] of own) {
    const names = ['SUREFOOT_API_TOKEN', 'SUREFOOT_PAYLOAD_KEYS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_API_KEY'];
    const files = ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'];
    // Without a value: taken from the shell.
    for (const name of [...names, ...files]) expect([name, environment[name]]).toEqual([name, null]);
    expect(volumes).toContain('${SUREFOOT_SECRETS_FOLDER:-./docker/secrets}:/run/secrets:ro');
  }
});

test('the image runs as a user that is not root, and the container of the Chromes has what their sandbox needs and can gain nothing', () => {
  const lines = readFileSync(join(__dirname, '../../Dockerfile'), 'utf8').split('\n');
  // The last stage is the image; Chrome is started without its sandbox for root alone.
  expect(
    lines.slice(lines.findLastIndex((line) => line.startsWith('FROM'))).filter((line) => line.startsWith('USER ')),
  ).toEqual(['USER node']);
  expect(services['worker']).toMatchObject({
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true', 'seccomp:unconfined'],
  });
});
