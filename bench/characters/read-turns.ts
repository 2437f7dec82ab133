import type { BrowserAction } from '../../contracts/commands/commands';
import { DecisionAction } from '../../contracts/models/ai-response';
import type { PastIteration } from '../../contracts/model-port/port';
import { resultIn, textOf, type ChatMessage } from './chat';
import { readNotes } from './notes';

export const MORE_TOOLS = 'more_tools';

const ACTION_OF: Record<string, BrowserAction> = {
  navigate: 'OPEN_PAGE',
  form_input: 'INPUT_TEXT',
  wait: 'WAIT_FOR',
  tabs: 'SWITCH_TAB',
  dialogs: 'HANDLE_DIALOG',
  read_page: 'GET_DOM',
};

export function pastOf(message: ChatMessage, messages: readonly ChatMessage[]): PastIteration {
  const calls = message.tool_calls ?? [];
  const outcomes = calls.map(({ id, function: written }) => {
    const { name, args } = calledTool(written);
    const result = resultIn(textOf(messages.find(({ tool_call_id }) => tool_call_id === id)));
    const isFailed = /^Error\b/.test(result);
    const action = ACTION_OF[name] ?? (args.action === 'key' ? 'PRESS_KEY' : 'CLICK_ELEMENT');
    return {
      action,
      parameters:
        typeof args.value === 'string' ? { text: args.value } : args.text === undefined ? {} : { text: args.text },
      status: isFailed ? ('failed' as const) : ('done' as const),
      ...(isFailed ? { error: { code: 'EX002', message: result.split('\n')[0]! } } : {}),
    };
  });
  return { ...iteration(textOf(message)), outcomes };
}

const TURN = /^- (?:You: (.*))?([\s\S]*?)(?=\n- |(?![\s\S]))/gm;

/** The turns of before the newest page, of which only lines are left. */
export function foldedTurns(text: string): PastIteration[] {
  const lines = /(?:^|\n)What you have done:\n([\s\S]*)$/.exec(text)?.[1];
  return lines === undefined ? [] : [...resultIn(lines).matchAll(TURN)].map(foldedPast);
}

function foldedPast([, said = '', rest = '']: RegExpMatchArray): PastIteration {
  const outcomes = rest
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const written = /^(?:Wrote|Chose) “(.*?)” in/.exec(line)?.[1];
      const isFailed = /^Error\b/.test(line);
      const action = written !== undefined || /^(?:Checked|Unchecked|Set) /.test(line) ? 'INPUT_TEXT' : 'CLICK_ELEMENT';
      return {
        action: action as BrowserAction,
        parameters: written === undefined ? {} : { text: written },
        status: isFailed ? ('failed' as const) : ('done' as const),
        ...(isFailed ? { error: { code: 'EX002', message: line } } : {}),
      };
    });
  return { ...iteration(said), outcomes };
}

interface CalledArgs {
  action?: string;
  value?: unknown;
  text?: string;
}

function calledTool({ name, arguments: given }: { name: string; arguments: string }): {
  name: string;
  args: CalledArgs;
} {
  const args = JSON.parse(given) as CalledArgs & { tool?: string; args?: string };
  if (name !== MORE_TOOLS) return { name, args };
  // Having looked up a tool changes nothing.
  if (args.args === undefined) return { name: 'read_page', args: {} };
  return { name: args.tool!, args: JSON.parse(args.args) as CalledArgs };
}

export function iteration(said: string): PastIteration {
  return {
    decision: { action: DecisionAction.RETRY, message: said },
    reasoning: { analysis: '', rationale: '', expectedOutcome: '', confidence: 1 },
    commands: [],
    context: { ...readNotes(said) },
    outcomes: [],
  };
}
