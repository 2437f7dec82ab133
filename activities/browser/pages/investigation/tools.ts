import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from 'playwright';
import {
  TOOL_FACTS,
  type CandidateFacts,
  type InvestigationTool,
  type ToolFinding,
} from '../../../../contracts/steps/investigation';
import type { Store } from '../../../../store/store';
import type { Attachment } from '../../attach/attachment';
import { saveDom } from '../../../recorded/captures';
import { captureDom, captureScreenshot, newScreenshotId } from '../capture';
import { withinMs } from '../../../../runtime/time-limit';
import type { SessionValues } from '../../../secrets/session-values';
import { goalWords } from '../../../../rules/page-text/goal-words';
import { relevantText } from '../../../../rules/page-text/relevant-text';
import { readLayout, describeLayout } from './page-layout';
import { readCandidate, readParts, readText } from './page-text';

/** What the tools of one phase examine, and what they search for. */
export interface ToolContext {
  store: Store;
  attachment: Attachment;
  values: SessionValues;
  sessionId: string;
  stepIndex: number;
  /** Prefix for the ids of this phase's artifacts. */
  phaseId: string;
  screenshotsEnabled: boolean;
  /** Texts to search for. */
  focus: string[];
  /** Selectors that an earlier phase proposed. */
  selectors: string[];
  signal: AbortSignal;
}

/** What a tool observed; a tool throws when it can observe nothing. */
export type ToolObservation = Pick<ToolFinding, 'summary' | 'text' | 'elementsFound' | 'candidates' | 'artifactId'>;

/** The text that is searched for may still be loading. */
const PATIENCE_MS = 6000;
const POLL_MS = 150;
const MOST_PARTS = 20;
const MOST_CANDIDATES = 20;

export const TOOLS: Record<InvestigationTool, (context: ToolContext) => Promise<ToolObservation>> = {
  async screenshot_analysis({ store, attachment, values, sessionId, stepIndex, screenshotsEnabled }) {
    if (!screenshotsEnabled) throw new Error('Screenshots are switched off for this session.');
    const facts = { sessionId, stepIndex, action: 'INVESTIGATION' };
    const { artifactId } = await captureScreenshot(store, attachment, values, facts, newScreenshotId(facts));
    const layout = await attachment.page.evaluate(readLayout);
    const summary = describeLayout(layout);
    return { summary, text: summary, elementsFound: layout.controlsInView, artifactId };
  },

  async text_extraction({ attachment, focus, signal }) {
    const limit = TOOL_FACTS.text_extraction.maxCharacters;
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const seen = await askFrames(attachment, (frame) => frame.evaluate(readText, { focus, limit }));
      const found = new Set(seen.flatMap((each) => each.found));
      const isMissing = focus.length > 0 && found.size === 0;
      if (isMissing && performance.now() < end && !signal.aborted) {
        await delay(POLL_MS);
        continue;
      }
      const sought = focus.map((each) => `“${each}” is ${found.has(each) ? '' : 'not '}there`).join('; ');
      const text = seen
        .map((each) => each.text)
        .filter((each) => each !== '')
        .join('\n')
        .slice(0, limit);
      return { summary: `${text.length} characters of text. ${sought}`.trim(), text, elementsFound: found.size };
    }
  },

  async sub_dom_extraction({ attachment, focus, selectors }) {
    const limit = TOOL_FACTS.sub_dom_extraction.maxCharacters;
    const asked = selectors.slice(0, MOST_CANDIDATES);
    const candidates = await Promise.all(asked.map((selector) => candidateOf(attachment, selector)));
    const seen = await askFrames(attachment, (frame) => frame.evaluate(readParts, { focus, limit, most: MOST_PARTS }));
    const text = seen
      .flatMap(({ parts }) => parts)
      .join('\n')
      .slice(0, limit);
    const matching = candidates.filter(({ matches = 0 }) => matches > 0).length;
    const elements = seen.reduce((sum, each) => sum + each.elements, 0);
    const matchText = candidates.length === 0 ? '' : ` ${matching} of ${candidates.length} selectors match something.`;
    if (text === '' && matching === 0) throw new Error('No part of the page contains the searched texts.');
    const summary = `${elements} elements contain the searched texts.${matchText}`;
    return { summary, text, elementsFound: elements, candidates };
  },

  async full_dom_retrieval({ store, attachment, values, sessionId, stepIndex, phaseId, focus }) {
    const limit = TOOL_FACTS.full_dom_retrieval.maxCharacters;
    const { dom } = await captureDom(attachment, values);
    if (dom === '') throw new Error('The page does not answer.');
    const shown = values.redact(dom);
    const artifactId = `${phaseId}.dom`;
    await saveDom(store, { sessionId, stepIndex, action: 'INVESTIGATION' }, artifactId, shown);
    if (shown.length > limit) {
      // The artifact, which is whole, is for a person; the model gets what has to do with what it searches for.
      const text = relevantText(shown, goalWords(focus), limit);
      const sought = focus.map((each) => `“${each}”`).join(', ') || 'nothing in particular';
      const summary = `The whole DOM has ${shown.length} characters: ${text.length} of them, searched for ${sought}.`;
      return { summary, text, elementsFound: 0, artifactId };
    }
    return { summary: `The whole DOM: ${shown.length} characters.`, text: shown, elementsFound: 0, artifactId };
  },
};

async function candidateOf({ page }: Attachment, selector: string): Promise<CandidateFacts> {
  try {
    const found = page.locator(selector);
    const facts = await found.evaluateAll(readCandidate);
    const isVisible = facts.matches === 1 && (await found.isVisible());
    return { selector, ...facts, isVisible };
  } catch {
    // The selector is invalid, or its frame is gone.
    return { selector };
  }
}

/** Asks every frame; a frame that does not answer in time is left out. */
async function askFrames<T>({ page }: Attachment, ask: (frame: Frame) => Promise<T>): Promise<T[]> {
  const FRAME_LIMIT_MS = 3000;
  const asked = page.frames().map((frame) => withinMs(FRAME_LIMIT_MS, ask(frame)).catch(() => undefined));
  const answers = (await Promise.all(asked)).filter((answer) => answer !== undefined);
  if (answers.length === 0) throw new Error('The page does not answer.');
  return answers;
}
