import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/**
 * Joins the parts of a file in their order. The file appears under its name when it is whole: other bytes than those of the
 * sum are refused, and nothing of them stays.
 */
export async function joinParts(parts: readonly string[], target: string, sha256: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  const hash = createHash('sha256');
  try {
    await pipeline(async function* () {
      for (const part of parts)
        for await (const chunk of createReadStream(part)) {
          hash.update(chunk as Buffer);
          yield chunk as Buffer;
        }
    }, createWriteStream(unfinished));
    const found = hash.digest('hex');
    if (found !== sha256) throw new Error(`The parts of ${target} have the SHA-256 ${found} and not ${sha256}.`);
    renameSync(unfinished, target);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
