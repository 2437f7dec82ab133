import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { decideByRules } from '../../rules/planning/decide';

export type Node = PageSnapshot['nodes'][number];

export const control = (role: string, name: string, ref = name, more: object = {}): Node =>
  ({ role, name, ref, children: [], ...more }) as Node;

interface Command {
  action: string;
  parameters: { selector?: string; text?: string; absent?: boolean };
}

/** The first request for a decision about a step on a page. */
export function requestOn(nodes: Node[], instruction: string, title = 'Office') {
  const snapshot = {
    snapshotId: 's',
    url: 'https://office.test/',
    title,
    tabs: [],
    nodes: [{ role: 'main', ref: 'main', children: nodes } as Node],
  };
  return {
    instruction,
    stepIndex: 0,
    iteration: 0,
    maxIterations: 8,
    mayAct: true,
    pastIterations: [],
    snapshot,
    variables: [],
  };
}

/** What `rules` do first of a step on a page, without waits. */
export function commandsOn(nodes: Node[], instruction: string, title?: string): Command[] {
  const request = requestOn(nodes, instruction, title);
  const { commands } = decideByRules({ ...request, variableValues: {} }) as { commands: Command[] };
  return commands.filter(({ action }) => action !== 'WAIT_FOR');
}

export function deedsOn(nodes: Node[], instruction: string): string[] {
  return commandsOn(nodes, instruction).map(({ parameters }) => parameters.selector ?? '');
}
