import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { decryptBytes, encryptBytes } from './encryption';
import type { PayloadKey } from './payload-keys';

const ENCODING = 'encoding';
const KEY_ID = 'encryption-key-id';
/** The encoding that the samples of every Temporal SDK use for encrypted payloads. */
const ENCRYPTED = 'binary/encrypted';

const { Payload: PayloadMessage } = temporal.api.common.v1;
const text = new TextDecoder();
const bytes = new TextEncoder();

/** Encrypts each payload with the first key (AES-256-GCM) and decrypts those of every key; others stay as they are. */
export function createPayloadCodec(keys: readonly [PayloadKey, ...PayloadKey[]]): PayloadCodec {
  const [current] = keys;
  return {
    encode: async (payloads) =>
      current.onlyDecrypts === true ? payloads : payloads.map((payload) => encrypt(payload, current)),
    decode: async (payloads) => payloads.map((payload) => decrypt(payload, keys)),
  };
}

function encrypt(payload: Payload, { id, key }: PayloadKey): Payload {
  const plain = PayloadMessage.encode(payload).finish();
  return {
    metadata: { [ENCODING]: bytes.encode(ENCRYPTED), [KEY_ID]: bytes.encode(id) },
    data: encryptBytes(plain, key, id),
  };
}

/** Throws when no key has the id that the payload names, or when the payload was changed. */
function decrypt(payload: Payload, keys: readonly PayloadKey[]): Payload {
  if (textOf(payload, ENCODING) !== ENCRYPTED) return payload;
  const id = textOf(payload, KEY_ID);
  const found = keys.find((each) => each.id === id);
  if (found === undefined) {
    const known = keys.map((each) => each.id).join(', ');
    throw new Error(
      `A payload is encrypted with the key ${id}, and SUREFOOT_PAYLOAD_KEYS has ${known}. Add that key behind the others.`,
    );
  }
  return PayloadMessage.decode(decryptBytes(payload.data ?? new Uint8Array(), found.key, id));
}

function textOf({ metadata }: Payload, name: string): string {
  return text.decode(metadata?.[name]);
}
