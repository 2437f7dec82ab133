import type { Approval } from '../../contracts/approvals/approval';
import type { MessageByApproval } from '../../contracts/messages/message-path';
import { messageDefinition, type ControlMessageName, type MessageInput } from '../../contracts/messages/messages';
import { raiseBudget } from '../../contracts/models/budget';
import { budgetIssues } from '../../contracts/models/budget-floor';
import type { Connections } from '../../contracts/sessions/model-connections';
import type { Floors } from '../../runtime/settings/floors/floor-issues';
import { pageWaitReadingIssues } from '../../rules/planning/page-wait';
import { siteCheckIssues } from '../../rules/planning/site-check';
import { addedStepsIssues } from '../../runtime/schemas/added-steps';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { checkDecision, checkStanding } from './approvals';
import { invalid, refuseBelowFloor } from '../connection/invalid';
import { sealAnswer } from './seal-answer';
import { assertPairedBrowser } from '../sessions/paired-browser';
import { notFound } from '../rows/session-row';

export interface PreparationParts {
  store: Store;
  floors?: Floors | undefined;
  connections?: Connections | undefined;
}

interface Target extends PreparationParts {
  row: SessionRow;
}

type Preparation<N extends ControlMessageName> = (
  target: N extends MessageByApproval ? Target & { approval: Approval } : Target,
  input: MessageInput<N>,
) => unknown;

/**
 * What is checked before a message is stored, besides its schema: what only the store and the settings know. What it returns
 * is stored instead of the input.
 */
export const PREPARATIONS: { readonly [N in ControlMessageName]?: Preparation<N> } = {
  async addSteps({ store, row, ...limits }, input) {
    const { config } = row.plan;
    const { steps, invalid: issues, belowFloor } = await addedStepsIssues(input, config, limits);
    const all = [...issues, ...siteCheckIssues(steps), ...pageWaitReadingIssues(steps)];
    if (all.length > 0) throw invalid(cannotBe('addSteps'), all);
    refuseBelowFloor(cannotBe('addSteps'), belowFloor);
    if (steps.some(({ task }) => task !== undefined)) await assertPairedBrowser(store, config.agent);
  },
  resolveBudget({ floors, row: { budget } }, decision) {
    const most = floors?.floors.budget;
    if (decision.decision === 'raise' && budget !== null && most !== undefined)
      refuseBelowFloor(cannotBe('resolveBudget'), budgetIssues(raiseBudget(budget, decision), most));
  },
  answerSecret: ({ store, row }, answer) => sealAnswer(store, row, answer),
  async cancelCall({ store, row: { sessionId } }, { callId }) {
    const call = await fromStore(() => store.toolCalls.get(sessionId, callId));
    if (call === null) throw notFound(`There is no call ${callId} in session ${sessionId}.`);
  },
  decideApproval: ({ store, approval }, decision) => checkDecision(store, approval, decision),
  revokeApproval: ({ approval }) => checkStanding(approval),
};

/** What an error begins with that refuses the input of a message. */
export function cannotBe(name: ControlMessageName): string {
  return `The session can't be ${messageDefinition(name).verb}`;
}
