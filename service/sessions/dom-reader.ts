import type { ArtifactRow } from '../../store/artifacts/artifacts';
import type { Store } from '../../store/store';

/** Bytes of DOM in one answer; a DOM beyond them is left out. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;

/** A DOM in an answer (S1.A38): whole, or left out with its length in the metadata. */
export interface DomContent {
  dom: string;
  metadata: Record<string, unknown>;
}

export interface DomReader {
  read(domId: string | undefined): Promise<DomContent>;
}

const NONE: DomContent = { dom: '', metadata: {} };

/** S1.A38: of a DOM that was too long to be stored whole, its length in the page. */
export function cutMetadata({ facts: { domTruncated, domLength } }: ArtifactRow): Record<string, unknown> {
  return domTruncated === true ? { domTruncated, domLength } : {};
}

/** Reads DOMs from their files, up to a limit for one answer; their lengths are in the rows. */
export async function createDomReader(store: Store, sessionId: string, isWanted: boolean): Promise<DomReader> {
  const rows = await store.artifacts.list(sessionId, 'dom');
  const known = new Map(rows.map((row) => [row.artifactId, row]));
  let left = isWanted ? MAX_TOTAL_BYTES : 0;
  return {
    async read(domId) {
      const row = domId === undefined ? undefined : known.get(domId);
      if (row === undefined) return NONE;
      const leftOut: DomContent = { dom: '', metadata: { domTruncated: true, domLength: row.bytes } };
      if (row.bytes > left) return leftOut;
      left -= row.bytes;
      const content = await store.artifacts.read(row).catch(() => undefined);
      return content === undefined ? leftOut : { dom: content.toString('utf8'), metadata: cutMetadata(row) };
    },
  };
}
