import type { ObservedDownload } from '../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { Download } from '../attach/downloads';
import { toStandardError } from '../../activity/failures';
import type { BatchContext } from './batch-context';

/** More than a page starts for a person at once. */
const MOST = 10;

/** Stores the files that a command brought without being asked for them, as evidence of it. */
export async function storeDownloads(
  context: BatchContext,
  { commandId, action, target }: Pick<PlannedCommand, 'commandId' | 'action' | 'target'>,
): Promise<ObservedDownload[]> {
  const { downloads } = context.attachment;
  let begun = (await downloads.take()).slice(0, MOST);
  if (begun.length === 0 && isNamedForFiles(target)) {
    const first = await downloads.next(BEGIN_LIMIT_MS);
    if (first !== undefined) begun = [first];
  }
  return await Promise.all(
    begun.map(async (download, index): Promise<ObservedDownload> => {
      const { name } = download;
      try {
        const fileId = `${commandId}.download${index === 0 ? '' : `-${index + 1}`}`;
        const content = await storeDownload(context, { commandId, action, fileId }, download);
        return { name, fileId, bytes: content.length };
      } catch (error) {
        const { sessionId, stepIndex } = context;
        const { message } = toStandardError(error, 'TL004', { sessionId, stepIndex, moduleId: 'executor' });
        return { name, failure: message };
      }
    }),
  );
}

/** A file that the page makes itself begins a moment after its click, and nothing else shows that it will. */
const BEGIN_LIMIT_MS = 2000;
const FILE_WORDS = /\b(?:download|export|csv|pdf|xlsx?|zip)\b/i;

function isNamedForFiles(target: PlannedCommand['target']): boolean {
  return target !== undefined && FILE_WORDS.test(target.name);
}

/** Waits until the bytes of a download are complete and stores them; resolves to the bytes. */
async function storeDownload(
  { store, sessionId, stepIndex, commandTimeoutMs }: BatchContext,
  { commandId, action, fileId }: { commandId: string; action: string; fileId: string },
  download: Download,
): Promise<Buffer> {
  const { name, address } = download;
  const content = await download.content(commandTimeoutMs);
  await store.artifacts.save({
    sessionId,
    artifactId: fileId,
    kind: 'download',
    content,
    stepIndex,
    commandId,
    facts: { actionType: action, fileName: name, ...(address !== '' && { address }) },
  });
  return content;
}

const TEXT = /\.(?:txt|csv|tsv|json|xml|md|log|ya?ml|html?)$/i;
const PREVIEW_CHARACTERS = 2000;

/** Stores the file that a command was to bring, and says what it is. */
export async function keepDownload(
  context: BatchContext,
  { commandId, action }: { commandId: string; action: string },
  download: Download,
): Promise<string> {
  const fileId = `${commandId}.download`;
  const content = await storeDownload(context, { commandId, action, fileId }, download);
  const { name } = download;
  const preview = TEXT.test(name) ? `\nIt begins:\n${content.toString('utf8', 0, PREVIEW_CHARACTERS)}` : '';
  return `Downloaded “${name}”, ${content.length} bytes, stored as file ${fileId}.${preview}`;
}

/** Stores a page that was printed; resolves to the id of its file. */
export async function keepPage(
  { store, sessionId, stepIndex }: BatchContext,
  { commandId, action }: { commandId: string; action: string },
  fileName: string,
  content: Buffer,
): Promise<string> {
  const fileId = `${commandId}.download`;
  const facts = { actionType: action, fileName };
  await store.artifacts.save({ sessionId, artifactId: fileId, kind: 'download', content, stepIndex, commandId, facts });
  return fileId;
}
