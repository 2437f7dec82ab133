import type { Store } from '../../../store/store';
import type { DecisionRequest } from '../../../contracts/model-port/port';

/** Loads an image that was saved as an artifact; undefined where there is none, or retention has deleted it. */
export async function loadImage(
  store: Store,
  sessionId: string,
  artifactId: string | undefined,
): Promise<{ mediaType: string; base64: string } | undefined> {
  const row = artifactId === undefined ? null : await store.artifacts.get(sessionId, artifactId);
  if (row === null) return undefined;
  try {
    const content = await store.artifacts.read(row);
    return { mediaType: row.facts.mediaType ?? row.mediaType, base64: content.toString('base64') };
  } catch (error) {
    // Retention deletes the file before its row.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Loads the screenshot of a snapshot. */
export async function loadPicture(
  store: Store,
  sessionId: string,
  picture: { artifactId: string; hasBoxes: boolean } | undefined,
): Promise<DecisionRequest['picture']> {
  const image = await loadImage(store, sessionId, picture?.artifactId);
  return image && { ...image, hasBoxes: picture!.hasBoxes };
}
