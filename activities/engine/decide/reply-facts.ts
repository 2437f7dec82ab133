import type { AIResponse } from '../../../contracts/models/ai-response';
import type { DecideOutput } from '../../signatures/engine-activities';
import type { StepHistory } from './decision-request';

/** Of the commands before this reply. The first reply of a step has none to judge, but may say that the page is wrong. */
export function validationIn(
  turn: number,
  result: AIResponse['decision']['resultValidation'],
): Pick<DecideOutput, 'validation'> {
  if (result === undefined) return turn > 0 ? { validation: 'missing' } : {};
  return { validation: result.success ? 'passed' : 'failed' };
}

/** The error of the last command, without its details: the log has them with the command. */
export function causeIn(journal: StepHistory['journal']): Pick<DecideOutput, 'cause'> {
  const last = journal.at(-1);
  if (last?.status !== 'failed' || last.error === undefined) return {};
  const { details: _, ...cause } = last.error;
  return { cause };
}

const LONGEST_INVESTIGATION_REQUEST = 300;

/** The investigation that a reply asks for, shortened for Temporal's history. */
export function investigationIn(context: Record<string, unknown> | undefined): Pick<DecideOutput, 'investigate'> {
  const wanted = context?.['investigate'];
  return typeof wanted === 'string' && wanted.trim() !== ''
    ? { investigate: wanted.trim().slice(0, LONGEST_INVESTIGATION_REQUEST) }
    : {};
}
