import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Film } from '../../contracts/files/film';
import type { PictureBefore, PictureBox } from '../../contracts/files/picture-box';
import type { Sql } from '../database/connect';
import type { Files, StoredBytes } from '../files/files';

export type ArtifactKind = 'screenshot' | 'dom' | 'trace' | 'download' | 'recording';

/** What else is known of an artifact: pixel sizes, the action that led to it, whether it was cut. */
export interface Facts {
  actionType?: string;
  width?: number;
  height?: number;
  /** Of a screenshot: where the element is that was acted on. */
  target?: PictureBox;
  /** Of a screenshot after a command that led to another page. */
  before?: PictureBefore;
  domLength?: number;
  domTruncated?: boolean;
  /** What the site calls a file. */
  fileName?: string;
  /** Where a download came from, without query and fragment. */
  address?: string;
  /** Media type, where the kind does not determine it. */
  mediaType?: string;
  /** Of a recording. */
  film?: Film;
}

export interface ArtifactRow {
  sessionId: string;
  artifactId: string;
  kind: ArtifactKind;
  mediaType: string;
  /** Among the files. */
  path: string;
  bytes: number;
  sha256: string;
  stepIndex: number | null;
  commandId: string | null;
  /** What else is known of it: pixel sizes, the action that led to it. */
  facts: Facts;
  at: Date;
}

export interface NewArtifact {
  sessionId: string;
  artifactId: string;
  kind: ArtifactKind;
  content: Buffer | string;
  stepIndex?: number | undefined;
  commandId?: string | undefined;
  facts?: Facts;
}

/** Screenshots, DOMs, traces, downloads and films: files, found by id through their rows. */
export interface Artifacts {
  /** Throws ArtifactNotSaved when the file can't be written; then there is no row either. */
  save(artifact: NewArtifact): Promise<ArtifactRow>;
  get(sessionId: string, artifactId: string): Promise<ArtifactRow | null>;
  list(sessionId: string, kind: ArtifactKind): Promise<ArtifactRow[]>;
  read(row: ArtifactRow): Promise<Buffer>;
  /** To be read by range, and to be closed. */
  open(row: ArtifactRow): Promise<StoredBytes>;
}

const FORMAT: Record<ArtifactKind, { extension: string; mediaType: string }> = {
  screenshot: { extension: 'png', mediaType: 'image/png' },
  dom: { extension: 'html', mediaType: 'text/html; charset=utf-8' },
  trace: { extension: 'zip', mediaType: 'application/zip' },
  // Never the site's own media type: no browser may show a download as a page of ours.
  download: { extension: 'bin', mediaType: 'application/octet-stream' },
  recording: { extension: 'webm', mediaType: 'video/webm' },
};

export function createArtifacts(sql: Sql, files: Files): Artifacts {
  return {
    async save({ sessionId, artifactId, kind, content, stepIndex, commandId, facts = {} }) {
      const { extension, mediaType } = FORMAT[kind];
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      const path = posix.join(sessionId, `${artifactId}.${extension}`);
      await files.write(path, bytes);
      const [row] = await sql<ArtifactRow[]>`
        insert into artifacts (session_id, artifact_id, kind, media_type, path, bytes, sha256, step_index, command_id, facts)
        values (${sessionId}, ${artifactId}, ${kind}, ${mediaType}, ${path}, ${bytes.length},
          ${createHash('sha256').update(bytes).digest('hex')}, ${stepIndex ?? null}, ${commandId ?? null}, ${sql.json(facts as never)})
        on conflict (session_id, artifact_id) do update set bytes = excluded.bytes, sha256 = excluded.sha256, facts = excluded.facts
        returning *`;
      return row!;
    },
    async get(sessionId, artifactId) {
      const [row] = await sql<ArtifactRow[]>`
        select * from artifacts where session_id = ${sessionId} and artifact_id = ${artifactId}`;
      return row ?? null;
    },
    list: async (sessionId, kind) => [
      ...(await sql<ArtifactRow[]>`
        select * from artifacts where session_id = ${sessionId} and kind = ${kind} order by at, artifact_id`),
    ],
    read: ({ path }) => files.read(path),
    open: ({ path }) => files.open(path),
  };
}
