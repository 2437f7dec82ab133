import type { OpenFile } from '../port/port';
import type { SessionFile } from '../../contracts/files/file';
import type { ArtifactRow } from '../../store/artifacts/artifacts';
import { ArtifactNotSaved } from '../../store/files/write-atomically';
import type { Store } from '../../store/store';
import { notFound, requireSessionRow } from '../rows/session-row';

const SOURCES = ['download', 'trace', 'recording'] as const;

/** Lists what a session has stored, oldest first. A film is made of the recording of one that has just ended. */
export async function listFiles(store: Store, name: string): Promise<SessionFile[]> {
  const { sessionId, closed, plan } = await requireSessionRow(store, name);
  if (closed && plan.config.executor.recording === true) await finishRecording(store, sessionId);
  const lists = await Promise.all(SOURCES.map((kind) => store.artifacts.list(sessionId, kind)));
  return lists
    .flat()
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map(toSessionFile);
}

/** Where there is no room for it, the next sweep tries again. */
async function finishRecording({ recordings }: Store, sessionId: string): Promise<void> {
  try {
    await recordings.finish(sessionId);
  } catch (error) {
    if (!(error instanceof ArtifactNotSaved)) throw error;
  }
}

export async function openFile(store: Store, name: string, fileId: string): Promise<OpenFile> {
  const { sessionId } = await requireSessionRow(store, name);
  const row = await store.artifacts.get(sessionId, fileId);
  const missing = notFound(`Session ${sessionId} has no file ${fileId}.`);
  if (row === null || !isSource(row.kind)) throw missing;
  try {
    return { file: toSessionFile(row), handle: await store.artifacts.open(row) };
  } catch (error) {
    // It expires between the row and the file.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw missing;
    throw error;
  }
}

function isSource(kind: ArtifactRow['kind']): kind is SessionFile['source'] {
  return (SOURCES as readonly string[]).includes(kind);
}

function toSessionFile(row: ArtifactRow): SessionFile {
  const { artifactId, kind, mediaType, bytes, sha256, at, stepIndex, commandId, facts } = row;
  return {
    fileId: artifactId,
    name: facts.fileName ?? `${artifactId}.zip`,
    mediaType,
    bytes,
    sha256,
    createdAt: at,
    source: kind as SessionFile['source'],
    ...(facts.address !== undefined && { address: facts.address }),
    ...(stepIndex !== null && { stepIndex }),
    ...(commandId !== null && { commandId }),
    ...(facts.film !== undefined && { film: facts.film }),
  };
}
