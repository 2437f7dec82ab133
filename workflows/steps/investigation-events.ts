import type { AssessOutput } from '../../activities/engine-activities';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType, type StreamEventData } from '../../contracts/events/stream-event';
import { PHASES, type InvestigationPhase, type InvestigationTool } from '../../contracts/steps/investigation';
import type { SessionRun } from '../sessions/session-run';

const {
  INVESTIGATION_STARTED,
  INVESTIGATION_PHASE_STARTED,
  INVESTIGATION_PHASE_COMPLETED,
  INVESTIGATION_COMPLETED,
  INVESTIGATION_FAILED,
  WORKING_MEMORY_UPDATED,
} = StreamEventType;

type Facts = NonNullable<StreamEventData['investigation']>;

/** Tells an investigation as its events (S1.A35, S1.A40); those of its tools and elements come from where they are found. */
export class InvestigationEvents {
  private readonly startedAt: number;
  private phase: InvestigationPhase = 'initial_assessment';
  private readonly toolsUsed: InvestigationTool[] = [];
  private judged: AssessOutput | undefined;
  private phasesJudged = 0;
  private trouble: StandardError | undefined;
  private endPhase: ((judged: AssessOutput | undefined) => void) | undefined;

  constructor(
    private readonly run: SessionRun,
    private readonly stepIndex: number,
    private readonly investigationId: string,
  ) {
    this.startedAt = run.clock.activeMs();
  }

  begin(reason: string): void {
    this.record(INVESTIGATION_STARTED, { investigation: this.untilKnown(), message: `Investigating: ${reason}.` });
  }

  beginPhase(phase: InvestigationPhase): void {
    const startedAt = this.run.clock.activeMs();
    const before = this.toolsUsed.length;
    this.phase = phase;
    this.record(INVESTIGATION_PHASE_STARTED, { investigation: this.untilKnown() });
    this.endPhase = (judged) => {
      this.judged = judged ?? this.judged;
      if (judged !== undefined) this.phasesJudged += 1;
      const toolsUsed = this.toolsUsed.slice(before);
      const investigation = { ...this.facts(startedAt), toolsUsed, confidence: judged?.confidence ?? 0 };
      this.record(INVESTIGATION_PHASE_COMPLETED, { investigation });
      for (const workingMemory of judged?.learnt ?? []) this.record(WORKING_MEMORY_UPDATED, { workingMemory });
    };
  }

  /** Without a judgement: it could not be had. */
  completePhase(judged: AssessOutput | undefined): void {
    this.endPhase?.(judged);
    this.endPhase = undefined;
  }

  use(tools: readonly InvestigationTool[]): void {
    this.toolsUsed.push(...tools);
  }

  /** Something had to be done without. */
  note(trouble: StandardError): void {
    this.trouble = trouble;
  }

  /** Partial results are results; without any it has failed. */
  end(): void {
    this.completePhase(undefined);
    if (this.phasesJudged === 0 && this.trouble !== undefined) {
      this.fail(this.trouble);
      return;
    }
    const isPartial = this.phasesJudged < PHASES.length;
    this.record(INVESTIGATION_COMPLETED, {
      investigation: this.facts(this.startedAt),
      ...(isPartial ? { details: { isPartial, reason: this.trouble?.message ?? '' } } : {}),
    });
  }

  fail(error: StandardError): void {
    const { sessionId } = this.run;
    const told = { ...error, sessionId, stepIndex: this.stepIndex, moduleId: 'task-loop' };
    this.record(INVESTIGATION_FAILED, { investigation: this.facts(this.startedAt), error: told });
  }

  private record(type: StreamEventType, data: StreamEventData): void {
    this.run.record('task-loop', type, data, this.stepIndex);
  }

  private untilKnown(): Facts {
    const { investigationId, phase } = this;
    return { investigationId, phase, toolsUsed: [], elementsDiscovered: 0, confidence: 0 };
  }

  private facts(startedAt: number): Facts {
    return {
      ...this.untilKnown(),
      toolsUsed: [...new Set(this.toolsUsed)],
      elementsDiscovered: this.judged?.elementsDiscovered ?? 0,
      confidence: this.judged?.confidence ?? 0,
      duration: Math.round(this.run.clock.activeMs() - startedAt),
      readyForAction: this.judged?.readyForAction ?? false,
    };
  }
}
