import { StreamEventType } from './events';
import { PHASES } from './investigation';
import type { LogRecord } from './log';

const {
  INVESTIGATION_STARTED,
  INVESTIGATION_PHASE_STARTED,
  INVESTIGATION_TOOL_STARTED,
  INVESTIGATION_TOOL_COMPLETED,
  ELEMENT_DISCOVERED,
  INVESTIGATION_PHASE_COMPLETED,
  WORKING_MEMORY_UPDATED,
  INVESTIGATION_COMPLETED,
  INVESTIGATION_FAILED,
} = StreamEventType;

interface Open {
  phases: number;
  isInPhase: boolean;
  tool: string | undefined;
  tools: number;
}

/**
 * Everything in a whole log that breaks S1.A35: the phases in their order, each with its tools one after the other and
 * the elements behind them, what was learnt, then exactly one end. Outside of an investigation only the memory may change.
 */
export function investigationProblems(records: readonly LogRecord[]): string[] {
  const problems: string[] = [];
  let open: Open | undefined;
  for (const { type, seq, data } of records) {
    if (type === INVESTIGATION_STARTED) {
      if (open !== undefined) problems.push(`${type} (${seq}) inside another investigation`);
      open = { phases: 0, isInPhase: false, tool: undefined, tools: 0 };
      continue;
    }
    if (/^(?:STEP|WORKFLOW)_(?:STARTED|COMPLETED|FAILED)$/.test(type) && open !== undefined) {
      problems.push(`${type} (${seq}) before the end of an investigation`);
      open = undefined;
    }
    if (!/^(?:INVESTIGATION_|ELEMENT_|WORKING_)/.test(type)) continue;
    if (open === undefined) {
      if (type !== WORKING_MEMORY_UPDATED) problems.push(`${type} (${seq}) outside of an investigation`);
      continue;
    }
    const isFit = follows(open, type, data.investigation?.phase, data.investigationTool?.tool);
    if (!isFit) problems.push(`${type} (${seq}) is not in its place`);
    if (type === INVESTIGATION_COMPLETED || type === INVESTIGATION_FAILED) open = undefined;
    else open = after(open, type, data.investigationTool?.tool);
  }
  if (open !== undefined) problems.push('the last investigation has no end');
  return problems;
}

function follows(open: Open, type: StreamEventType, phase: string | undefined, tool: string | undefined): boolean {
  const { phases, isInPhase, tools } = open;
  const isToolOpen = open.tool !== undefined;
  switch (type) {
    case INVESTIGATION_PHASE_STARTED:
      return !isInPhase && PHASES[phases]?.phase === phase;
    case INVESTIGATION_TOOL_STARTED:
      return isInPhase && !isToolOpen;
    case INVESTIGATION_TOOL_COMPLETED:
      return open.tool === tool;
    case ELEMENT_DISCOVERED:
      return isInPhase && !isToolOpen && tools > 0;
    case INVESTIGATION_PHASE_COMPLETED:
      return isInPhase && !isToolOpen && PHASES[phases - 1]?.phase === phase;
    case WORKING_MEMORY_UPDATED:
    case INVESTIGATION_COMPLETED:
      return !isInPhase;
    default:
      return type === INVESTIGATION_FAILED;
  }
}

function after(open: Open, type: StreamEventType, tool: string | undefined): Open {
  if (type === INVESTIGATION_PHASE_STARTED)
    return { phases: open.phases + 1, isInPhase: true, tool: undefined, tools: 0 };
  if (type === INVESTIGATION_TOOL_STARTED) return { ...open, tool };
  if (type === INVESTIGATION_TOOL_COMPLETED) return { ...open, tool: undefined, tools: open.tools + 1 };
  return type === INVESTIGATION_PHASE_COMPLETED ? { ...open, isInPhase: false } : open;
}
