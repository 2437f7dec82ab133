import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The artifact folder, or the bucket, can't be written: its disk is full, or permission is missing. Only the file is lost. */
export class ArtifactNotSaved extends Error {
  constructor(where: string, reason: string, cause: unknown) {
    super(`${where} could not be written (${reason})`, { cause });
    this.name = 'ArtifactNotSaved';
  }
}

const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Writes the file whole or not at all: a reader never finds half of it, also after a kill. Throws ArtifactNotSaved. */
export async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.part`, bytes);
    await rename(`${file}.part`, file);
  } catch (error) {
    await rm(`${file}.part`, { force: true }).catch(() => {});
    const { code } = error as NodeJS.ErrnoException;
    const reason = DISK_FULL_CODES.has(code ?? '') ? 'its disk is full' : String(code);
    throw new ArtifactNotSaved('the artifact folder', reason, error);
  }
}
