import type { AssessOutput } from '../../activities/signatures/engine-activities';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType, type StreamEventData } from '../../contracts/events/stream-event';
import { PHASES, type InvestigationPhase, type InvestigationTool } from '../../contracts/steps/investigation';
import type { RunningSession } from '../state/session-state';

const {
  INVESTIGATION_STARTED,
  INVESTIGATION_PHASE_STARTED,
  INVESTIGATION_PHASE_COMPLETED,
  INVESTIGATION_COMPLETED,
  INVESTIGATION_FAILED,
  WORKING_MEMORY_UPDATED,
} = StreamEventType;

type Facts = NonNullable<StreamEventData['investigation']>;

/** Records the events of an investigation (S1.A35, S1.A40); the activities record those of its tools and elements. */
export class InvestigationEvents {
  private readonly startedAt: number;
  private phase: InvestigationPhase = 'initial_assessment';
  private readonly toolsUsed: InvestigationTool[] = [];
  private assessment: AssessOutput | undefined;
  private assessedPhases = 0;
  private problem: StandardError | undefined;
  private endPhase: ((assessment: AssessOutput | undefined) => void) | undefined;

  constructor(
    private readonly session: RunningSession,
    private readonly stepIndex: number,
    private readonly investigationId: string,
  ) {
    this.startedAt = session.clock.activeMs();
  }

  begin(reason: string): void {
    this.record(INVESTIGATION_STARTED, { investigation: this.initialFacts(), message: `Investigating: ${reason}.` });
  }

  beginPhase(phase: InvestigationPhase): void {
    const startedAt = this.session.clock.activeMs();
    const before = this.toolsUsed.length;
    this.phase = phase;
    this.record(INVESTIGATION_PHASE_STARTED, { investigation: this.initialFacts() });
    this.endPhase = (assessment) => {
      this.assessment = assessment ?? this.assessment;
      if (assessment !== undefined) this.assessedPhases += 1;
      const toolsUsed = this.toolsUsed.slice(before);
      const investigation = { ...this.facts(startedAt), toolsUsed, confidence: assessment?.confidence ?? 0 };
      this.record(INVESTIGATION_PHASE_COMPLETED, { investigation });
      for (const workingMemory of assessment?.learnt ?? []) this.record(WORKING_MEMORY_UPDATED, { workingMemory });
    };
  }

  /** Without an assessment when the model gave none. */
  completePhase(assessment: AssessOutput | undefined): void {
    this.endPhase?.(assessment);
    this.endPhase = undefined;
  }

  addTools(tools: readonly InvestigationTool[]): void {
    this.toolsUsed.push(...tools);
  }

  /** Something is missing from the result. */
  addProblem(problem: StandardError): void {
    this.problem = problem;
  }

  /** An investigation with partial results is completed; one without any has failed. */
  end(): void {
    this.completePhase(undefined);
    if (this.assessedPhases === 0 && this.problem !== undefined) {
      this.fail(this.problem);
      return;
    }
    const isPartial = this.assessedPhases < PHASES.length;
    this.record(INVESTIGATION_COMPLETED, {
      investigation: this.facts(this.startedAt),
      ...(isPartial ? { details: { isPartial, reason: this.problem?.message ?? '' } } : {}),
    });
  }

  fail(error: StandardError): void {
    const record = { ...error, sessionId: this.session.id, stepIndex: this.stepIndex };
    this.record(INVESTIGATION_FAILED, { investigation: this.facts(this.startedAt), error: record });
  }

  private record(type: StreamEventType, data: StreamEventData): void {
    this.session.record('task-loop', type, data, this.stepIndex);
  }

  private initialFacts(): Facts {
    const { investigationId, phase } = this;
    return { investigationId, phase, toolsUsed: [], elementsDiscovered: 0, confidence: 0 };
  }

  private facts(startedAt: number): Facts {
    return {
      ...this.initialFacts(),
      toolsUsed: [...new Set(this.toolsUsed)],
      elementsDiscovered: this.assessment?.elementsDiscovered ?? 0,
      confidence: this.assessment?.confidence ?? 0,
      duration: Math.round(this.session.clock.activeMs() - startedAt),
      readyForAction: this.assessment?.readyForAction ?? false,
    };
  }
}
