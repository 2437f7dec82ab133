import { parseSeed } from '../../runtime/one-time-codes';

const ASCII = '12345678901234567890';
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('codes are those of RFC 6238, with the digits and the algorithm of the address', () => {
  const address = (more: string): string => `otpauth://totp/Shop:ada?secret=${SECRET}&digits=8${more}`;
  expect(parseSeed(address(''))?.codeOf(1)).toBe('94287082');
  expect(parseSeed(address('&period=60'))).toMatchObject({ periodMs: 60_000 });
  const longer = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA';
  expect(parseSeed(address('&algorithm=SHA256').replace(SECRET, longer))?.codeOf(1)).toBe('46119246');
});

test('a bare secret has six digits and 30 s, in whatever groups a site shows it', () => {
  const shown = ` ${SECRET.toLowerCase().replaceAll(/(.{4})/g, '$1 ')}`;
  for (const text of [SECRET, shown, SECRET.replace(/^.{8}/, '$&-')])
    expect(parseSeed(text)).toMatchObject({ periodMs: 30_000, secret: SECRET });
  expect(parseSeed(SECRET)?.codeOf(1)).toBe('287082');
});

test.each([
  ['nothing', ''],
  ['a code', '123456'],
  ['a password', 'hunter2!'],
  ['a word of the alphabet of base32', 'hunter'],
  ['text that is not encoded', ASCII],
  ['an address that counts', `otpauth://hotp/Shop?secret=${SECRET}&counter=1`],
  ['an address without a secret', 'otpauth://totp/Shop?issuer=Shop'],
  ['an address with no such algorithm', `otpauth://totp/Shop?secret=${SECRET}&algorithm=MD5`],
  ['an address with periods of no length', `otpauth://totp/Shop?secret=${SECRET}&period=0`],
])('%s is no seed', (_, text) => {
  expect(parseSeed(text)).toBeUndefined();
});
