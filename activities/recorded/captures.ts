import type { PictureBefore, PictureBox } from '../../contracts/files/picture-box';
import type { ArtifactRow } from '../../store/artifacts/artifacts';
import type { Store } from '../../store/store';
import type { CommandPlace } from './command-records';
import { pngSize } from './png-size';

/** A longer DOM is truncated, and marked as truncated (S1.A38). */
const MAX_DOM = 1_000_000;

/** What a capture belongs to. */
export interface CaptureMetadata extends Omit<CommandPlace, 'turn'> {
  commandId?: string | undefined;
  action: string;
}

export async function saveScreenshot(
  store: Store,
  facts: CaptureMetadata,
  screenshotId: string,
  content: Buffer,
  marks: { target?: PictureBox | undefined; before?: PictureBefore | undefined } = {},
): Promise<ArtifactRow> {
  const { sessionId, stepIndex, commandId, action } = facts;
  const { target, before } = marks;
  return await store.artifacts.save({
    sessionId,
    artifactId: screenshotId,
    kind: 'screenshot',
    content,
    stepIndex,
    commandId,
    facts: { actionType: action, ...pngSize(content), ...(target && { target }), ...(before && { before }) },
  });
}

export async function saveDom(store: Store, facts: CaptureMetadata, domId: string, dom: string): Promise<void> {
  const { sessionId, stepIndex, commandId } = facts;
  const isTruncated = dom.length > MAX_DOM;
  await store.artifacts.save({
    sessionId,
    artifactId: domId,
    kind: 'dom',
    content: isTruncated ? dom.slice(0, MAX_DOM) : dom,
    stepIndex,
    commandId,
    facts: isTruncated ? { domTruncated: true, domLength: dom.length } : { domLength: dom.length },
  });
}
