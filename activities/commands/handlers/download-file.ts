import { EngineError } from '../../failures';
import { isTargetClosed } from '../../browsers/playwright-errors';
import { blockedNavigation } from '../network-guard';
import { openDownloads } from '../downloads';
import type { CommandHandler } from './command-handler';

const TEXT = /\.(?:txt|csv|tsv|json|xml|md|log|ya?ml|html?)$/i;
const PREVIEW = 2000;

export const downloadFile: CommandHandler = async ({
  batch,
  commandId,
  attachment,
  page,
  element,
  parameters,
  timeoutMs,
}) => {
  const { store, sessionId, stepIndex, network } = batch;
  const { url } = parameters;
  const astray = url === undefined ? undefined : blockedNavigation(network, [url]);
  if (astray !== undefined) throw astray;
  const downloads = await openDownloads(attachment);
  try {
    const coming = downloads.next(timeoutMs);
    // A page that navigates to a file stays where it is, and Playwright calls that a failure.
    const leading =
      url === undefined
        ? element!.click({ timeout: timeoutMs })
        : page.goto(url, { timeout: timeoutMs, waitUntil: 'commit' }).then(() => {});
    const led = leading.catch((error: unknown) => {
      if (isTargetClosed(error) || url === undefined) throw error;
    });
    const [{ name, content }] = await Promise.all([coming, led]);
    const artifactId = `${commandId}.download`;
    await store.artifacts.save({
      sessionId,
      artifactId,
      kind: 'download',
      content,
      stepIndex,
      commandId,
      facts: { actionType: 'DOWNLOAD_FILE', fileName: name },
    });
    const preview = TEXT.test(name) ? `\nIt begins:\n${content.toString('utf8', 0, PREVIEW)}` : '';
    return { output: `Downloaded “${name}”, ${content.length} bytes, kept as artifact ${artifactId}.${preview}` };
  } catch (error) {
    if (error instanceof EngineError || isTargetClosed(error)) throw error;
    throw new EngineError('EX004', `The download failed: ${(error as Error).message.split('\n')[0]}`);
  } finally {
    await downloads.close();
  }
};
