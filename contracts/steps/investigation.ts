import { z } from 'zod';

/** The phases of an investigation, in their order (S1.A35). */
export const InvestigationPhaseSchema = z.enum(['initial_assessment', 'focused_exploration', 'selector_determination']);
export type InvestigationPhase = z.infer<typeof InvestigationPhaseSchema>;

export const InvestigationToolSchema = z.enum([
  'screenshot_analysis',
  'text_extraction',
  'full_dom_retrieval',
  'sub_dom_extraction',
]);
export type InvestigationTool = z.infer<typeof InvestigationToolSchema>;

interface ToolFacts {
  limitMs: number;
  /** After the first attempt. */
  retries: number;
  /** A longer finding is cut. */
  maxCharacters: number;
  /** The confidence of its findings. */
  confidence: number;
}

/** S1.A34: these only read the page, so they are no commands. */
export const TOOL_FACTS: Record<InvestigationTool, ToolFacts> = {
  screenshot_analysis: { limitMs: 30_000, retries: 2, maxCharacters: 3000, confidence: 0.8 },
  text_extraction: { limitMs: 10_000, retries: 3, maxCharacters: 5000, confidence: 0.9 },
  sub_dom_extraction: { limitMs: 20_000, retries: 2, maxCharacters: 50_000, confidence: 0.9 },
  full_dom_retrieval: { limitMs: 30_000, retries: 1, maxCharacters: 100_000, confidence: 1 },
};

/** Each phase with its tools in order and the time it may take. */
export const PHASES: readonly { phase: InvestigationPhase; tools: readonly InvestigationTool[]; limitMs: number }[] = [
  { phase: 'initial_assessment', tools: ['screenshot_analysis'], limitMs: 30_000 },
  { phase: 'focused_exploration', tools: ['text_extraction', 'sub_dom_extraction'], limitMs: 60_000 },
  { phase: 'selector_determination', tools: ['sub_dom_extraction', 'full_dom_retrieval'], limitMs: 45_000 },
];

export const INVESTIGATION_LIMIT_MS = 120_000;
/** Most investigations of a step: each is a call of the model for every phase. */
export const MAX_INVESTIGATIONS = 1;
/** From this confidence on a selector is reliable. */
export const RELIABLE_CONFIDENCE = 0.7;
/** Below this confidence a model guesses, and the page is investigated before the next call. */
export const GUESS_CONFIDENCE = 0.5;

/** When a page is investigated: never, when the model is lost or fails twice at one element, or before the first decision. */
export const InvestigationModeSchema = z.enum(['never', 'when-due', 'always']);
export type InvestigationMode = z.infer<typeof InvestigationModeSchema>;

/** What the page shows of a proposed selector. */
export interface CandidateFacts {
  selector: string;
  /** How many elements it matches; undefined for an invalid selector. */
  matches?: number | undefined;
  isVisible?: boolean | undefined;
  isEnabled?: boolean | undefined;
  /** Its own markup, without its children. */
  markup?: string | undefined;
  /** The text of its closest ancestor that has more text than the element. */
  around?: string | undefined;
}

/** The finding of one tool, for the model. Secrets are redacted. */
export interface ToolFinding {
  phase: InvestigationPhase;
  tool: InvestigationTool;
  success: boolean;
  confidence: number;
  durationMs: number;
  summary: string;
  text: string;
  elementsFound: number;
  candidates?: CandidateFacts[] | undefined;
  /** A screenshot or a DOM, kept as an artifact. */
  artifactId?: string | undefined;
}

/** The judgement of a model on a phase. */
export const PhaseJudgementSchema = z.object({
  summary: z.string().describe('what you see, in one or two sentences'),
  focus: z.array(z.string()).default([]).describe('texts of the page to search for next'),
  elements: z
    .array(
      z.object({
        selector: z.string().min(1).describe('a ref of the snapshot, such as ref=e12, or a Playwright selector'),
        elementType: z.string().default('').describe('its role'),
        confidence: z.number().min(0).max(1),
      }),
    )
    .default([])
    .describe('what the step may need'),
  confidence: z.number().min(0).max(1).describe('from 0 to 1: how sure you are that the step can be done with these'),
  insight: z.string().optional().describe('what to remember of this page'),
});
export type PhaseJudgement = z.infer<typeof PhaseJudgementSchema>;

/** An element that an investigation found: its selector outlives the snapshot. */
export interface DiscoveredElement {
  selector: string;
  elementType: string;
  name: string;
  confidence: number;
  discoveryMethod: InvestigationTool;
  /** It matches once, is visible and enabled, and the confidence suffices. */
  isReliable: boolean;
}

/** The id of an investigation in its events and in the store. */
export function investigationIdOf(sessionId: string, stepIndex: number, turn: number): string {
  return `${sessionId}.${stepIndex}.${turn}.investigation`;
}
