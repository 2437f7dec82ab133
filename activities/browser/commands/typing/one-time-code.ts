import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../../../store/store';
import { EngineError } from '../../../activity/failures';
import type { BoundSecret, SessionValues } from '../../../secrets/session-values';

/** A code that is typed with less left of its period may reach the site too late. */
const LEAST_LEFT_MS = 3000;
/** Beyond the limit of the command, so that a short one can wait for the next period; activities have more than that left. */
const LONGER_MS = 30_000;

interface CodeContext {
  store: Pick<Store, 'secrets'>;
  sessionId: string;
  values: Pick<SessionValues, 'addSecret'>;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Replaces `${alias}` by the code of each secret that has a seed. The code of a period is taken once, whoever has the seed,
 * because sites refuse a second one: a command that is repeated waits for the next period, and gets that code.
 */
export async function withCodes(text: string, secrets: readonly BoundSecret[], context: CodeContext): Promise<string> {
  let filled = text;
  for (const alias of new Set(secrets.flatMap(({ seed, alias: name }) => (seed === undefined ? [] : [name])))) {
    const code = await takeCode(
      secrets.find((secret) => secret.alias === alias)!,
      context,
    );
    filled = filled.replaceAll(`\${${alias}}`, () => code);
  }
  return filled;
}

async function takeCode({ alias, seed }: BoundSecret, context: CodeContext): Promise<string> {
  const { store, sessionId, values, timeoutMs, signal } = context;
  const { periodMs, secret, codeOf } = seed!;
  const giveUpAt = performance.now() + timeoutMs + LONGER_MS;
  for (;;) {
    // The site compares the code with its own time.
    const periods = Date.now() / periodMs;
    const step = Math.floor(periods);
    const leftMs = Math.ceil((step + 1 - periods) * periodMs);
    // Known as a secret before it is taken, and so before a page can show it.
    values.addSecret(codeOf(step));
    const isFresh = leftMs >= Math.min(LEAST_LEFT_MS, periodMs / 2);
    const taken = { alias, seed: `${secret}/${periodMs}`, step };
    if (isFresh && (await store.secrets.takeCode(sessionId, taken))) return codeOf(step);
    if (performance.now() + leftMs > giveUpAt)
      throw new EngineError(
        'EX003',
        `No code of ${alias} was free in ${Math.round((timeoutMs + LONGER_MS) / 1000)} s: each is typed once, and other sign-ins with this seed took them.`,
        { suggestedAction: 'Let fewer sessions sign in with this seed at the same time, or share a profile.' },
      );
    await sleep(leftMs, undefined, { signal });
  }
}
