/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import { DecisionAction, ResultValidationSchema, type ResultValidation } from '../../contracts/models/ai-response';
import {
  AIGeneratedCommandSchema as EngineCommandSchema,
  CommandAction,
  CommandParametersSchema,
  CommandResponseSchema,
  type CommandParameters,
  type CommandResponse,
} from '../../contracts/commands/commands';
import {
  AIGeneratedCommandSchema,
  AIResponseSchema,
  ExecutorCommandSchema,
  type AIGeneratedCommand,
  type AIResponse,
  type ExecutorCommand,
} from '../../contracts/events/formats/s1';
import type { StandardError } from '../../contracts/errors/standard-error';
import { faultsOf, proveSame } from './prove';
import {
  aCommandResponse,
  aGeneratedCommand,
  anExecutorCommand,
  below,
  PARAMETERS_OPTIONAL,
  RESPONSE_OPTIONAL,
} from './samples';

const IN_PARAMETERS = below('parameters', PARAMETERS_OPTIONAL);

test('[S1.14] AIGeneratedCommand has the members of the contract, and no session id', () => {
  expect(
    proveSame<
      AIGeneratedCommand,
      {
        action: CommandAction;
        parameters: CommandParameters;
        reasoning?: string | undefined;
        priority?: number | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = aGeneratedCommand();
  expect(faultsOf(AIGeneratedCommandSchema, whole, ['reasoning', 'priority', ...IN_PARAMETERS])).toEqual([]);
  expect(AIGeneratedCommandSchema.safeParse({ ...whole, sessionId: 's' }).success).toBe(false);
  expect(AIGeneratedCommandSchema.safeParse({ ...whole, action: 'GO_BACK' }).success).toBe(false);
  expect(EngineCommandSchema.safeParse(whole).success).toBe(true);
});

test('[S1.15] ExecutorCommand has the members of the contract', () => {
  expect(
    proveSame<
      ExecutorCommand,
      {
        sessionId: string;
        action: CommandAction;
        parameters: CommandParameters;
        commandId: string;
        timestamp: Date;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(ExecutorCommandSchema, anExecutorCommand(), IN_PARAMETERS)).toEqual([]);
});

test('[S1.16] CommandAction has its five members, each with its name as value', () => {
  expect(CommandAction).toEqual({
    OPEN_PAGE: 'OPEN_PAGE',
    CLICK_ELEMENT: 'CLICK_ELEMENT',
    INPUT_TEXT: 'INPUT_TEXT',
    SAVE_VARIABLE: 'SAVE_VARIABLE',
    GET_DOM: 'GET_DOM',
  });
  expect(
    proveSame<`${CommandAction}`, 'OPEN_PAGE' | 'CLICK_ELEMENT' | 'INPUT_TEXT' | 'SAVE_VARIABLE' | 'GET_DOM'>(true),
  ).toBe(true);
});

test('[S1.17] CommandParameters has the members of the contract, all optional', () => {
  expect(
    proveSame<
      CommandParameters,
      {
        url?: string | undefined;
        selector?: string | undefined;
        text?: string | undefined;
        variableName?: string | undefined;
      }
    >(true),
  ).toBe(true);
  const { parameters } = aGeneratedCommand() as { parameters: Record<string, unknown> };
  expect(faultsOf(CommandParametersSchema, parameters, PARAMETERS_OPTIONAL)).toEqual([]);
  expect(CommandParametersSchema.safeParse({ css: '#a' }).success).toBe(false);
});

test('[S1.18] CommandResponse has the members of the contract, DOM and screenshot also on failure', () => {
  expect(
    proveSame<
      CommandResponse,
      {
        success: boolean;
        commandId: string;
        dom: string;
        screenshotId: string;
        duration: number;
        error?: StandardError | undefined;
        metadata?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(CommandResponseSchema, aCommandResponse(), RESPONSE_OPTIONAL)).toEqual([]);
});

test('[S1.19] AIResponse has the members of the contract, its commands as an array', () => {
  expect(
    proveSame<
      AIResponse,
      {
        decision: {
          action: DecisionAction;
          message: string;
          resultValidation?: ResultValidation | undefined;
        };
        reasoning: {
          analysis: string;
          rationale: string;
          expectedOutcome: string;
          confidence: number;
          alternatives?: string | undefined;
        };
        commands: AIGeneratedCommand[];
        context?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = {
    decision: {
      action: 'RETRY',
      message: 'm',
      resultValidation: { success: true, expectedElements: ['a'], actualState: 's', issues: ['i'] },
    },
    reasoning: { analysis: 'a', rationale: 'r', expectedOutcome: 'e', confidence: 0.5, alternatives: 'x' },
    commands: [aGeneratedCommand()],
    context: {},
  };
  const optional = [
    'decision.resultValidation',
    'decision.resultValidation.issues',
    'reasoning.alternatives',
    'context',
    'commands[].reasoning',
    'commands[].priority',
    ...below('commands[]', IN_PARAMETERS),
  ];
  expect(faultsOf(AIResponseSchema, whole, optional)).toEqual([]);
  expect(AIResponseSchema.safeParse({ ...whole, commands: [] }).success).toBe(true);
  expect(AIResponseSchema.safeParse({ ...whole, commands: aGeneratedCommand() }).success).toBe(false);
});

test('[S1.20] DecisionAction has its three members, each with its name as value', () => {
  expect(DecisionAction).toEqual({ PROCEED: 'PROCEED', RETRY: 'RETRY', ABORT: 'ABORT' });
  expect(proveSame<`${DecisionAction}`, 'PROCEED' | 'RETRY' | 'ABORT'>(true)).toBe(true);
});

test('[S1.21] ResultValidation has the members of the contract', () => {
  expect(
    proveSame<
      ResultValidation,
      { success: boolean; expectedElements: string[]; actualState: string; issues?: string[] | undefined }
    >(true),
  ).toBe(true);
  const whole = { success: true, expectedElements: ['a'], actualState: 's', issues: ['i'] };
  expect(faultsOf(ResultValidationSchema, whole, ['issues'])).toEqual([]);
});
