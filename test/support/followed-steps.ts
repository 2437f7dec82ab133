import { followStep } from '../../bench/harness/follow-step';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { anObservedCommand } from './evidence';
import type { Node } from './rules-on-page';

/** How a step by `rules` goes on a page that answers to what is clicked. */
export interface FollowedStep {
  isDone: boolean;
  message: string;
  /** Each command with the ref of its element, and what it gives. */
  commands: string[];
}

/** Follows a step on a page: `nodes` is what it shows after the commands so far. */
export async function followed(
  instruction: string,
  nodes: (commands: readonly string[]) => Node[],
): Promise<FollowedStep> {
  const commands: string[] = [];
  const look = (): PageSnapshot => ({
    snapshotId: `look ${commands.length}`,
    url: 'https://office.test/',
    title: 'Office',
    tabs: [],
    nodes: [{ role: 'main', ref: 'main', children: nodes(commands) } as Node],
  });
  const { decision, isDone } = await followStep(instruction, 8, {
    look,
    run: (asked) =>
      asked.map(({ action, parameters }) => {
        const { selector = '', text, option, key } = parameters;
        if (action !== 'WAIT_FOR')
          commands.push([action, selector.replace('ref=', ''), text ?? option ?? key].filter(Boolean).join(' '));
        return { action, parameters, status: 'done' as const, evidence: anObservedCommand() };
      }),
  });
  return { isDone, message: decision?.message ?? '', commands };
}
