import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createPayloadCodec } from '../../runtime/payloads/payload-codec';
import { PayloadKeysSchema, type PayloadKey } from '../../runtime/payloads/payload-keys';

const secrets = { old: randomBytes(32).toString('hex'), new: randomBytes(32).toString('hex') };
const pair = (id: keyof typeof secrets): string => `${id}=${secrets[id]}`;
const codecOf = (text: string) => createPayloadCodec(PayloadKeysSchema.parse(text) as [PayloadKey, ...PayloadKey[]]);
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload!);

test('an encrypted payload holds nothing of its content and comes back as it was', async () => {
  const codec = codecOf(pair('old'));
  const [encrypted] = await codec.encode([payloadOf({ step: 'Transfer 900 EUR to Ada' })]);
  expect(Buffer.from(encrypted!.data!).toString('latin1')).not.toContain('Ada');
  expect(Buffer.from(encrypted!.metadata!['encoding']!).toString()).toBe('binary/encrypted');
  const [decrypted] = await codec.decode([encrypted!]);
  expect(valueOf(decrypted)).toEqual({ step: 'Transfer 900 EUR to Ada' });
});

test('after a rotation what the old key encrypted is still read, and the new key encrypts', async () => {
  const [before] = await codecOf(pair('old')).encode([payloadOf('before')]);
  const rotated = codecOf(`${pair('new')},${pair('old')}`);
  const [after] = await rotated.encode([payloadOf('after')]);
  expect((await rotated.decode([before!, after!])).map(valueOf)).toEqual(['before', 'after']);
  expect((await codecOf(pair('new')).decode([after!])).map(valueOf)).toEqual(['after']);
  await expect(codecOf(pair('new')).decode([before!])).rejects.toThrow(
    'A payload is encrypted with the key old, and SUREFOOT_PAYLOAD_KEYS has new. Add that key behind the others.',
  );
});

test('a payload that was changed, or that names another key, is not read', async () => {
  const codec = codecOf(`${pair('new')},${pair('old')}`);
  const [encrypted] = await codec.encode([payloadOf('amount: 10')]);
  const changed = Buffer.from(encrypted!.data!);
  changed[20]! ^= 1;
  await expect(codec.decode([{ ...encrypted!, data: changed }])).rejects.toThrow();
  const metadata = { ...encrypted!.metadata!, 'encryption-key-id': Buffer.from('old') };
  await expect(codec.decode([{ ...encrypted!, metadata }])).rejects.toThrow();
});

test('a payload that is not encrypted, as of a start before there were keys, is read as it is', async () => {
  expect((await codecOf(pair('old')).decode([payloadOf('plain')])).map(valueOf)).toEqual(['plain']);
});

test.each([
  ['short', 'a=too-short'],
  ['nameless', secrets.old],
  ['double', `${pair('old')},${pair('old')}`],
])('a %s key is refused', (_kind, text) => {
  expect(PayloadKeysSchema.safeParse(text).success).toBe(false);
});
