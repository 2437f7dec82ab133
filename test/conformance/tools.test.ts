import type { ContentPart, ToolDeclaration } from '../../contracts/tasks/chat';
import {
  isTool,
  type FileDiff,
  type ITool,
  type ToolCallConfirmationDetails,
  type ToolConfirmationPayload,
  type ToolEditConfirmationDetails,
  type ToolExecuteConfirmationDetails,
  type ToolInfoConfirmationDetails,
  type ToolMcpConfirmationDetails,
  type ToolResult,
  type ToolResultDisplay,
} from '../../contracts/tools/tool';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { proveSame } from './prove';

test('[S2.1] FileDiff has the members of the contract', () => {
  expect(proveSame<FileDiff, { fileDiff: string; fileName: string }>(true)).toBe(true);
});

test('[S2.2] ToolResultDisplay is a text or a diff', () => {
  expect(proveSame<ToolResultDisplay, string | FileDiff>(true)).toBe(true);
});

test('[S2.3] ToolResult has the members of the contract', () => {
  expect(
    proveSame<
      ToolResult,
      { summary?: string | undefined; llmContent: string | ContentPart[]; returnDisplay: ToolResultDisplay }
    >(true),
  ).toBe(true);
});

test('[S2.4] ToolConfirmationPayload has the member of the contract', () => {
  expect(proveSame<ToolConfirmationPayload, { newContent: string }>(true)).toBe(true);
});

test('[S2.5, S2.R8] ToolConfirmationOutcome has its six members, in PascalCase with snake_case values', () => {
  expect(ToolConfirmationOutcome).toEqual({
    ProceedOnce: 'proceed_once',
    ProceedAlways: 'proceed_always',
    ProceedAlwaysServer: 'proceed_always_server',
    ProceedAlwaysTool: 'proceed_always_tool',
    ModifyWithEditor: 'modify_with_editor',
    Cancel: 'cancel',
  });
  expect(
    proveSame<
      `${ToolConfirmationOutcome}`,
      | 'proceed_once'
      | 'proceed_always'
      | 'proceed_always_server'
      | 'proceed_always_tool'
      | 'modify_with_editor'
      | 'cancel'
    >(true),
  ).toBe(true);
});

test("[S2.6, S2.R7] ToolEditConfirmationDetails has the contract's members, and alone takes a payload", () => {
  expect(
    proveSame<
      ToolEditConfirmationDetails,
      {
        type: 'edit';
        title: string;
        onConfirm: (outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload) => Promise<void>;
        fileName: string;
        fileDiff: string;
        isModifying?: boolean | undefined;
      }
    >(true),
  ).toBe(true);
});

test('[S2.7] ToolExecuteConfirmationDetails has the members of the contract', () => {
  expect(
    proveSame<
      ToolExecuteConfirmationDetails,
      {
        type: 'exec';
        title: string;
        onConfirm: (outcome: ToolConfirmationOutcome) => Promise<void>;
        command: string;
        rootCommand: string;
      }
    >(true),
  ).toBe(true);
});

test('[S2.8] ToolMcpConfirmationDetails has the members of the contract', () => {
  expect(
    proveSame<
      ToolMcpConfirmationDetails,
      {
        type: 'mcp';
        title: string;
        serverName: string;
        toolName: string;
        toolDisplayName: string;
        onConfirm: (outcome: ToolConfirmationOutcome) => Promise<void>;
      }
    >(true),
  ).toBe(true);
});

test('[S2.9] ToolInfoConfirmationDetails has the members of the contract', () => {
  expect(
    proveSame<
      ToolInfoConfirmationDetails,
      {
        type: 'info';
        title: string;
        onConfirm: (outcome: ToolConfirmationOutcome) => Promise<void>;
        prompt: string;
        urls?: string[] | undefined;
      }
    >(true),
  ).toBe(true);
});

test('[S2.10, S2.R7] ToolCallConfirmationDetails is the union of the four kinds, distinguished by type', () => {
  expect(
    proveSame<
      ToolCallConfirmationDetails,
      | ToolEditConfirmationDetails
      | ToolExecuteConfirmationDetails
      | ToolMcpConfirmationDetails
      | ToolInfoConfirmationDetails
    >(true),
  ).toBe(true);
  expect(proveSame<ToolCallConfirmationDetails['type'], 'edit' | 'exec' | 'mcp' | 'info'>(true)).toBe(true);
});

interface Declared<TParams, TResult> {
  name: string;
  description: string;
  schema: ToolDeclaration;
  isOutputMarkdown: boolean;
  canUpdateOutput: boolean;
  validateToolParams(params: TParams): string | null;
  getDescription(params: TParams): string;
  shouldConfirmExecute(params: TParams, abortSignal: AbortSignal): Promise<ToolCallConfirmationDetails | false>;
  execute(params: TParams, signal: AbortSignal, updateOutput?: (output: string) => void): Promise<TResult>;
}

test('[S2.11] ITool has the members of the contract, and its two type parameters with their defaults', () => {
  interface Numbered extends ToolResult {
    number: number;
  }
  expect(proveSame<ITool, Declared<unknown, ToolResult>>(true)).toBe(true);
  expect(proveSame<ITool<{ a: string }, Numbered>, Declared<{ a: string }, Numbered>>(true)).toBe(true);
});

test('[S2.R22] what a model is given of a result is a text or a list of parts', () => {
  expect(proveSame<ToolResult['llmContent'], string | ContentPart[]>(true)).toBe(true);
});

const aTool = (): ITool => ({
  name: 'look',
  description: 'Looks.',
  schema: { name: 'look', description: 'Looks.' },
  isOutputMarkdown: false,
  canUpdateOutput: false,
  validateToolParams: () => null,
  getDescription: () => 'Look.',
  shouldConfirmExecute: async () => false,
  execute: async () => ({ llmContent: 'seen', returnDisplay: 'seen' }),
});

test('[S2.51] isTool takes a tool, and nothing that lacks a part of one or has it of another kind', () => {
  expect(proveSame<typeof isTool, (obj: unknown) => obj is ITool>(true)).toBe(true);
  expect(isTool(aTool())).toBe(true);
  for (const other of [undefined, null, 7, 'tool', [], {}, () => {}]) expect(isTool(other)).toBe(false);
  const needed = [
    'name',
    'description',
    'schema',
    'validateToolParams',
    'getDescription',
    'shouldConfirmExecute',
    'execute',
  ];
  for (const name of needed) {
    expect([name, isTool({ ...aTool(), [name]: undefined })]).toEqual([name, false]);
    expect([name, isTool({ ...aTool(), [name]: 7 })]).toEqual([name, false]);
  }
});
