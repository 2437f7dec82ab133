import type { Page } from 'playwright';
import { MAX_FILE_BYTES } from '../../../contracts/files/file';
import { EngineError } from '../../activity/failures';
import type { SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';

/** Prints the page as a PDF of its whole length. One that shows a secret is refused: a PDF can't be masked as a picture is. */
export async function printPage(attachment: Attachment, values: SessionValues): Promise<Buffer> {
  const { page } = attachment;
  if (!attachment.hasDevTools)
    throw new EngineError('EX004', 'Only Chromium prints pages to PDF; leave out executorConfig.browserType.');
  const shown = await textsOf(page);
  if (values.redact(shown) !== shown)
    throw new EngineError(
      'EX004',
      'The page shows a secret of this session, so it is not printed. Print it before, or after.',
    );
  const session = await attachment.cdp(page);
  const { data } = await session.send('Page.printToPDF', { printBackground: true, preferCSSPageSize: true });
  const content = Buffer.from(data, 'base64');
  if (content.length > MAX_FILE_BYTES)
    throw new EngineError(
      'EX004',
      `The PDF of the page has ${content.length} bytes; at most ${MAX_FILE_BYTES} are kept.`,
    );
  return content;
}

/** What the page and its frames show, and what stands in their fields. A password is printed as dots. */
async function textsOf(page: Page): Promise<string> {
  const texts = await Promise.all(
    page.frames().map((frame) =>
      frame
        .evaluate(() => {
          const fields = document.querySelectorAll<HTMLInputElement>('input:not([type=password]), textarea, select');
          return [document.body?.innerText ?? '', ...Array.from(fields, ({ value }) => value)].join('\n');
        })
        // A frame that goes away meanwhile shows nothing.
        .catch(() => ''),
    ),
  );
  return texts.join('\n');
}
