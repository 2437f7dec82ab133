import type { CommandResponse } from '../../contracts/commands/commands';
import { CommandStatus } from '../../contracts/commands/commands';
import type { ScreenshotInfo } from '../../contracts/sessions/resources';
import type { Store } from '../../store/store';
import { ClientError, type ArtifactContent } from '../port/port';
import { cutMetadata } from './dom-reader';
import { toScreenshotInfo } from './read-model';
import { notFound, requireSessionRow } from '../rows/session-row';
import { toThumbnail } from './thumbnail';

export async function readCommand(store: Store, name: string, commandId: string): Promise<CommandResponse> {
  const { sessionId } = await requireSessionRow(store, name);
  const [entry] = await store.journal.find(sessionId, [commandId]);
  if (entry === undefined) throw notFound(`Session ${sessionId} has no command ${commandId}.`);
  if (entry.response === undefined) {
    const message = `Command ${commandId} has no response yet: it is ${CommandStatus.EXECUTING}.`;
    throw new ClientError('wrong-state', 'SP001', message, { state: CommandStatus.EXECUTING });
  }
  const dom = entry.domId === undefined ? undefined : await readFile(store, sessionId, entry.domId);
  if (dom === undefined) return { ...entry.response, dom: '' };
  const metadata = { ...entry.response.metadata, ...dom.cut };
  return { ...entry.response, dom: dom.content.toString('utf8'), metadata };
}

export async function listScreenshots(store: Store, name: string): Promise<ScreenshotInfo[]> {
  const { sessionId } = await requireSessionRow(store, name);
  return (await store.artifacts.list(sessionId, 'screenshot')).map(toScreenshotInfo);
}

export async function readScreenshot(store: Store, name: string, screenshotId: string): Promise<ArtifactContent> {
  const { sessionId } = await requireSessionRow(store, name);
  const content = await readFile(store, sessionId, screenshotId);
  if (content?.kind !== 'screenshot') throw notFound(`Session ${sessionId} has no screenshot ${screenshotId}.`);
  return content;
}

/** Scales a screenshot down on request, as a run takes hundreds and few are listed. */
export async function readThumbnail(store: Store, name: string, screenshotId: string): Promise<ArtifactContent> {
  const { content, ...more } = await readScreenshot(store, name, screenshotId);
  return { ...more, content: toThumbnail(content) };
}

/** Reads a file; undefined where the row or its file does not exist. */
async function readFile(store: Store, sessionId: string, artifactId: string) {
  const row = await store.artifacts.get(sessionId, artifactId);
  if (row === null) return undefined;
  try {
    const { kind, mediaType, sha256 } = row;
    return { content: await store.artifacts.read(row), kind, mediaType, sha256, cut: cutMetadata(row) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
