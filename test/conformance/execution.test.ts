import {
  ApprovalRequiredEventSchema,
  DoneEventSchema,
  ErrorEventSchema,
  ExecutionEventSchema,
  IterationCompleteEventSchema,
  TokenDeltaEventSchema,
  ToolCallEventSchema,
  ToolResultEventSchema,
  type ApprovalRequiredEvent,
  type DoneEvent,
  type ErrorEvent,
  type ExecutionEvent,
  type IterationCompleteEvent,
  type TokenDeltaEvent,
  type ToolCallEvent,
  type ToolResultEvent,
} from '../../contracts/events/execution-event';
import { faultsOf, proveSame } from './prove';

test('[S3.1] TokenDeltaEvent has the members of the contract', () => {
  expect(proveSame<TokenDeltaEvent, { type: 'token_delta'; data: { content: string; index: number } }>(true)).toBe(
    true,
  );
  expect(faultsOf(TokenDeltaEventSchema, { type: 'token_delta', data: { content: 'a', index: 0 } })).toEqual([]);
});

test('[S3.2] ToolCallEvent has the members of the contract', () => {
  expect(
    proveSame<ToolCallEvent, { type: 'tool_call'; data: { name: string; arguments: Record<string, unknown> } }>(true),
  ).toBe(true);
  expect(faultsOf(ToolCallEventSchema, { type: 'tool_call', data: { name: 't', arguments: {} } })).toEqual([]);
});

test('[S3.3] ToolResultEvent has the members of the contract', () => {
  expect(proveSame<ToolResultEvent, { type: 'tool_result'; data: { name: string; summary: string } }>(true)).toBe(true);
  expect(faultsOf(ToolResultEventSchema, { type: 'tool_result', data: { name: 't', summary: 's' } })).toEqual([]);
});

test('[S3.4] IterationCompleteEvent has the members of the contract', () => {
  expect(
    proveSame<IterationCompleteEvent, { type: 'iteration_complete'; data: { iteration: number; tokens: number } }>(
      true,
    ),
  ).toBe(true);
  const whole = { type: 'iteration_complete', data: { iteration: 1, tokens: 2 } };
  expect(faultsOf(IterationCompleteEventSchema, whole)).toEqual([]);
});

test('[S3.5] ApprovalRequiredEvent has the members of the contract, tool_name here where a call has name', () => {
  expect(
    proveSame<
      ApprovalRequiredEvent,
      {
        type: 'approval_required';
        data: { tool_name: string; arguments: Record<string, unknown>; classification: string };
      }
    >(true),
  ).toBe(true);
  const whole = { type: 'approval_required', data: { tool_name: 't', arguments: {}, classification: 'write' } };
  expect(faultsOf(ApprovalRequiredEventSchema, whole)).toEqual([]);
});

test('[S3.6] DoneEvent has the members of the contract, the credits as text', () => {
  expect(
    proveSame<DoneEvent, { type: 'done'; data: { status: string; total_tokens: number; total_credits: string } }>(true),
  ).toBe(true);
  const whole = { type: 'done', data: { status: 'completed', total_tokens: 1, total_credits: '1.25' } };
  expect(faultsOf(DoneEventSchema, whole)).toEqual([]);
});

test('[S3.7] ErrorEvent has the members of the contract', () => {
  expect(proveSame<ErrorEvent, { type: 'error'; data: { error_type: string; message: string } }>(true)).toBe(true);
  expect(faultsOf(ErrorEventSchema, { type: 'error', data: { error_type: 'timeout', message: 'm' } })).toEqual([]);
});

const SAMPLES: ExecutionEvent[] = [
  { type: 'token_delta', data: { content: 'a', index: 0 } },
  { type: 'tool_call', data: { name: 't', arguments: {} } },
  { type: 'tool_result', data: { name: 't', summary: 's' } },
  { type: 'iteration_complete', data: { iteration: 1, tokens: 2 } },
  { type: 'approval_required', data: { tool_name: 't', arguments: {}, classification: 'read' } },
  { type: 'done', data: { status: 'completed', total_tokens: 1, total_credits: '0' } },
  { type: 'error', data: { error_type: 'internal', message: 'm' } },
];

test('[S3.8, S3.R1] ExecutionEvent is the union of the seven, one for each stage, distinguished by type', () => {
  expect(
    proveSame<
      ExecutionEvent,
      | TokenDeltaEvent
      | ToolCallEvent
      | ToolResultEvent
      | IterationCompleteEvent
      | ApprovalRequiredEvent
      | DoneEvent
      | ErrorEvent
    >(true),
  ).toBe(true);
  expect(SAMPLES.map((sample) => ExecutionEventSchema.parse(sample))).toEqual(SAMPLES);
  expect(ExecutionEventSchema.options.map(({ shape }) => shape.type.value)).toEqual(SAMPLES.map(({ type }) => type));
  for (const { data } of SAMPLES) expect(ExecutionEventSchema.safeParse({ type: 'other', data }).success).toBe(false);
});

test('[S3.R2] a switch on type narrows the union: every member is reached, and none is left', () => {
  const contentOf = (event: ExecutionEvent): string => {
    switch (event.type) {
      case 'token_delta':
        return event.data.content;
      case 'tool_call':
        return event.data.name;
      case 'tool_result':
        return event.data.summary;
      case 'iteration_complete':
        return String(event.data.iteration);
      case 'approval_required':
        return event.data.tool_name;
      case 'done':
        return event.data.total_credits;
      case 'error':
        return event.data.message;
    }
  };
  expect(SAMPLES.map(contentOf)).toEqual(['a', 't', 's', '1', 't', '0', 'm']);
});
