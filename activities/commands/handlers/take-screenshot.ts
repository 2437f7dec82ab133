import { EngineError } from '../../failures';
import { captureScreenshot, newScreenshotId } from '../../pages/capture';
import type { CommandHandler } from './command-handler';

/** The view, or a region of it, as a picture for the model. Secrets are covered, as in every other picture. */
export const takeScreenshot: CommandHandler = async ({ batch, commandId, attachment, page, parameters }) => {
  const { store, values, sessionId, stepIndex, screenshotsEnabled } = batch;
  if (!screenshotsEnabled) throw new EngineError('EX005', 'Screenshots are switched off for this session.');
  const [left = 0, top = 0, right = 0, bottom = 0] = parameters.region ?? [];
  if (parameters.region !== undefined && (right <= left || bottom <= top))
    throw new EngineError('SM002', `A region is left, top, right, bottom; got ${parameters.region.join(', ')}.`);
  const clip =
    parameters.region === undefined
      ? undefined
      : { x: left, y: top, width: right - left, height: bottom - top, scale: 2 };
  const facts = { sessionId, stepIndex, commandId, action: 'TAKE_SCREENSHOT' };
  const { artifactId, facts: size } = await captureScreenshot(
    store,
    attachment,
    values,
    facts,
    newScreenshotId(facts),
    { clip },
  );
  return { output: `A picture of ${page.url()}: ${size.width} x ${size.height} pixels.`, pictureId: artifactId };
};
