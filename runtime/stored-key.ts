import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE } from './private-folder';

/** 32 random bytes, as text. */
export function newSecretKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the key in the file; undefined where there is none. */
export function readStoredKey(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Made by whichever process needs it first: it appears whole or not at all, and only its owner may read it. */
export function storedKey(file: string, make: () => string): string {
  const known = readStoredKey(file);
  if (known !== undefined) return known;
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE.folder });
  const part = `${file}.${randomUUID()}`;
  writeFileSync(part, make(), { mode: PRIVATE.file, flag: 'wx' });
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(part);
  }
  return readFileSync(file, 'utf8');
}
