import type { screenshotCommands } from '../../../../contracts/commands/definitions/screenshots';
import { EngineError } from '../../../activity/failures';
import { captureScreenshot, newScreenshotId } from '../../pages/capture';
import type { CommandHandlers } from './command-handler';

export const screenshotHandlers: CommandHandlers<typeof screenshotCommands> = {
  /** Takes the view, or a region of it, for the model. Secrets are masked, as in every screenshot. */
  async TAKE_SCREENSHOT({ batch, commandId, attachment, page, parameters: { region } }) {
    const { store, values, sessionId, stepIndex, screenshotsEnabled } = batch;
    if (!screenshotsEnabled) throw new EngineError('EX005', 'Screenshots are switched off for this session.');
    const facts = { sessionId, stepIndex, commandId, action: 'TAKE_SCREENSHOT' };
    const { artifactId, facts: size } = await captureScreenshot(
      store,
      attachment,
      values,
      facts,
      newScreenshotId(facts),
      { clip: region && toClip(region) },
    );
    return { output: `A picture of ${page.url()}: ${size.width} x ${size.height} pixels.`, pictureId: artifactId };
  },
};

function toClip(region: number[]) {
  const [left = 0, top = 0, right = 0, bottom = 0] = region;
  if (right <= left || bottom <= top)
    throw new EngineError('SM002', `A region is left, top, right, bottom; got ${region.join(', ')}.`);
  return { x: left, y: top, width: right - left, height: bottom - top, scale: 2 };
}
