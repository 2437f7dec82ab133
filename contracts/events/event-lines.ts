import type { z } from 'zod';
import { CommandStatus } from '../commands/commands';
import { isCancellation } from '../errors/cancellation';
import type { StandardError } from '../errors/standard-error';
import { StepStatus } from '../steps/step-result';
import type { TerminalContext, TerminalLine, Tone } from './event-definition';
import type { command, reasoning, step } from './event-payloads';
import { fitted, oneLine } from '../text';

/** The lines that several events have in common. */

interface Texts {
  message?: string | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
}

interface Failure extends Texts {
  error?: StandardError | undefined;
}

const LONGEST_THOUGHT = 300;

export function line(tone: Tone, text: string, aside?: string | number): TerminalLine[] {
  return [{ tone, text, aside }];
}

/** A line for readers who want every detail, with the event's message behind the text. */
export function detail(text: string, { message }: Texts = {}): TerminalLine[] {
  return [{ tone: 'quiet', text: message === undefined ? text : `${text}: ${message}`, isDetail: true }];
}

export function errorText({ code, message }: StandardError): string {
  return `${code} ${message}`;
}

export function thought({ reasoning: shown }: { reasoning?: z.output<typeof reasoning> | undefined }): string {
  return fitted(oneLine(shown?.thought ?? ''), LONGEST_THOUGHT);
}

interface Details {
  details?: Record<string, unknown> | undefined;
}

export function commandEnd(
  { command: ended, error, message, details }: Failure & Details & { command?: z.output<typeof command> | undefined },
  { describeCommand }: TerminalContext,
): TerminalLine[] {
  if (ended === undefined) return line('quiet', message ?? 'command ended');
  const text = `${details?.['by'] === 'person' ? 'by a person: ' : ''}${describeCommand(ended)}`;
  if (ended.status === CommandStatus.COMPLETED) return line('good', text, ended.duration);
  if (ended.status === CommandStatus.CANCELLED) return line('warning', `${text}: cancelled`, ended.duration);
  const reason = error ?? ended.result?.error;
  return line('bad', reason === undefined ? text : `${text}: ${errorText(reason)}`, ended.duration);
}

export function stepFailure({ step: ended, error }: Failure & { step?: z.output<typeof step> | undefined }): string {
  if (ended?.status === StepStatus.CANCELLED) return 'step cancelled';
  return error === undefined ? 'step failed' : `step failed: ${errorText(error)}`;
}

/** The end of a failed session; the error of its last step is not repeated. */
export function sessionFailure(
  { error, message }: Failure,
  { failure, totalSteps, sinceSessionStartMs }: TerminalContext,
): TerminalLine[] {
  if (isCancellation(error)) return line('warning', 'Session cancelled.', sinceSessionStartMs);
  const reason = error === undefined ? (message ?? 'no reason was given') : errorText(error);
  const isReported = failure !== undefined && failure.message === error?.message;
  const text = isReported
    ? `Session failed in step ${failure.stepIndex + 1} of ${totalSteps}.`
    : `Session failed: ${reason}`;
  return [
    ...line('bad', text, sinceSessionStartMs),
    ...(error?.suggestedAction === undefined ? [] : line('plain', error.suggestedAction)),
  ];
}
