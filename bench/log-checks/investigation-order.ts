import { StreamEventType } from '../../contracts/events/stream-event';
import { InvestigationPhaseSchema, type InvestigationPhase } from '../../contracts/steps/investigation';
import type { LogRecord } from '../../contracts/events/log';

const PHASES = InvestigationPhaseSchema.options;

/** Where an investigation stands between two of its events. */
type Place =
  | { kind: 'none' }
  | { kind: 'begun'; next: number }
  | { kind: 'phase'; phase: number; tool: string | undefined }
  | { kind: 'remembering' };

const { INVESTIGATION_STARTED, INVESTIGATION_PHASE_STARTED, INVESTIGATION_PHASE_COMPLETED } = StreamEventType;
const { INVESTIGATION_TOOL_STARTED, INVESTIGATION_TOOL_COMPLETED, INVESTIGATION_COMPLETED, INVESTIGATION_FAILED } =
  StreamEventType;
const { ELEMENT_DISCOVERED, WORKING_MEMORY_UPDATED } = StreamEventType;

/**
 * What in a whole log breaks the order of investigations (S1.A35), or reports an outcome before it is known (S1.A40).
 * An investigation that fails, or is stopped by the end of its step, may end anywhere.
 */
export function investigationProblems(records: readonly LogRecord[]): string[] {
  const problems: string[] = [];
  const places = new Map<number | undefined, Place>();
  for (const record of records) {
    const before = places.get(record.stepIndex) ?? { kind: 'none' };
    const after = follow(before, record);
    if (after === 'wrong')
      problems.push(`${record.type} (${record.seq}) where an investigation is at ${describe(before)}`);
    else places.set(record.stepIndex, after);
    if (isTooEarly(record)) problems.push(`${record.type} (${record.seq}) reports an outcome before it is known`);
  }
  return problems;
}

function follow(place: Place, { type, data }: LogRecord): Place | 'wrong' {
  const phase = PHASES.indexOf(data.investigation?.phase as InvestigationPhase);
  switch (type) {
    case INVESTIGATION_STARTED:
      return place.kind === 'none' && phase === 0 ? { kind: 'begun', next: 0 } : 'wrong';
    case INVESTIGATION_PHASE_STARTED:
      return place.kind === 'begun' && phase === place.next ? { kind: 'phase', phase, tool: undefined } : 'wrong';
    case INVESTIGATION_TOOL_STARTED:
      return place.kind === 'phase' && place.tool === undefined
        ? { ...place, tool: data.investigationTool?.tool ?? '' }
        : 'wrong';
    case INVESTIGATION_TOOL_COMPLETED:
      return place.kind === 'phase' && place.tool === data.investigationTool?.tool
        ? { ...place, tool: undefined }
        : 'wrong';
    case ELEMENT_DISCOVERED:
      return place.kind === 'phase' && place.tool === undefined ? place : 'wrong';
    case INVESTIGATION_PHASE_COMPLETED:
      return place.kind === 'phase' && place.tool === undefined && phase === place.phase
        ? { kind: 'begun', next: phase + 1 }
        : 'wrong';
    // What was learnt without an investigation may be remembered as well.
    case WORKING_MEMORY_UPDATED:
      return place.kind === 'phase' ? 'wrong' : place.kind === 'begun' ? { kind: 'remembering' } : place;
    case INVESTIGATION_COMPLETED:
      return place.kind === 'remembering' || place.kind === 'begun' ? { kind: 'none' } : 'wrong';
    case INVESTIGATION_FAILED:
      return place.kind === 'none' ? 'wrong' : { kind: 'none' };
    default:
      return place;
  }
}

/** S1.A40: neutral values until the outcome is known. */
function isTooEarly({ type, data: { investigation, investigationTool } }: LogRecord): boolean {
  if (type === INVESTIGATION_TOOL_STARTED && investigationTool !== undefined) {
    const { success, confidence, duration } = investigationTool;
    return success || confidence !== 0 || duration !== 0;
  }
  if (type === INVESTIGATION_STARTED && investigation !== undefined) {
    const { toolsUsed, elementsDiscovered, confidence } = investigation;
    return toolsUsed.length > 0 || elementsDiscovered !== 0 || confidence !== 0;
  }
  return false;
}

function describe(place: Place): string {
  if (place.kind === 'phase') return `${PHASES[place.phase]}${place.tool === undefined ? '' : ` with ${place.tool}`}`;
  return place.kind === 'begun' ? `the start of ${PHASES[place.next] ?? 'its end'}` : place.kind;
}
