import { Secret, TOTP, URI } from 'otpauth';

/** What an authenticator app was set up with: it gives a code for each period of time (RFC 6238). */
export interface CodeSeed {
  periodMs: number;
  /** The code of a period, by its number since 1970. */
  codeOf(step: number): string;
  /** Base32, in the one way that it is written here. */
  secret: string;
}

/** 80 bits, the fewest that sites give. A password or a code that was given by mistake has fewer. */
const LEAST_BYTES = 10;
const MOST_DIGITS = 10;

export const EXPECTED_SEED =
  'expected the seed of an authenticator app: its base32 secret, of at least 16 letters and the digits 2 to 7, or an otpauth://totp/ address';

/** Undefined for what is no seed. An address keeps its digits, period and algorithm; a bare secret has 6, 30 s and SHA-1. */
export function parseSeed(text: string): CodeSeed | undefined {
  try {
    const trimmed = text.trim();
    // Sites show a secret in groups.
    const secret = () => Secret.fromBase32(trimmed.replaceAll(/[\s-]/g, ''));
    const totp = trimmed.toLowerCase().startsWith('otpauth:') ? URI.parse(trimmed) : new TOTP({ secret: secret() });
    if (!(totp instanceof TOTP) || totp.secret.bytes.length < LEAST_BYTES || totp.digits > MOST_DIGITS)
      return undefined;
    const periodMs = totp.period * 1000;
    return {
      periodMs,
      codeOf: (step) => totp.generate({ timestamp: step * periodMs }),
      secret: totp.secret.base32,
    };
  } catch {
    // Its message may repeat a part of the seed.
    return undefined;
  }
}
