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
  /** After the first try. */
  retries: number;
  /** More of what it finds is cut. */
  maxCharacters: number;
  /** What a finding of it is worth. */
  confidence: number;
}

/** S1.A34: these look and never act, so they are no commands. */
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
/** A step is not investigated more often than this. */
export const MAX_INVESTIGATIONS = 3;
/** From here on a selector may be relied on. */
export const RELIABLE_CONFIDENCE = 0.7;
/** Below this a model guesses, and the page is investigated before it is asked again. */
export const GUESS_CONFIDENCE = 0.5;

/** When a page is investigated: never, when a failure, a guess or the model asks for it, or before every decision. */
export const InvestigationModeSchema = z.enum(['never', 'when-due', 'always']);
export type InvestigationMode = z.infer<typeof InvestigationModeSchema>;

/** What the page says of a selector that was proposed. */
export interface CandidateFacts {
  selector: string;
  /** How many elements it matches; undefined when it can't be asked for. */
  matches?: number | undefined;
  isVisible?: boolean | undefined;
  isEnabled?: boolean | undefined;
  /** Its own markup, without what is in it. */
  markup?: string | undefined;
  /** The text of the smallest part of the page around it that says more than itself. */
  around?: string | undefined;
}

/** What one tool found, told to the model. Secrets are masked. */
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

/** What a model makes of a phase. */
export const PhaseJudgementSchema = z.object({
  summary: z.string(),
  /** Texts to look for next. */
  focus: z.array(z.string()),
  elements: z.array(
    z.object({
      /** A ref of the look, or a selector. */
      selector: z.string().min(1),
      elementType: z.string(),
      confidence: z.number().min(0).max(1),
    }),
  ),
  confidence: z.number().min(0).max(1),
  /** What is worth knowing of this page from now on. */
  insight: z.string().optional(),
});
export type PhaseJudgement = z.infer<typeof PhaseJudgementSchema>;

/** An element as an investigation left it: its selector outlives the look. */
export interface DiscoveredElement {
  selector: string;
  elementType: string;
  name: string;
  confidence: number;
  discoveryMethod: InvestigationTool;
  /** It is there once, can be seen and used, and the confidence is enough. */
  isReliable: boolean;
}

/** One name for the same investigation in its events and in the store. */
export function investigationIdOf(sessionId: string, stepIndex: number, turn: number): string {
  return `${sessionId}.${stepIndex}.${turn}.investigation`;
}
