import type { ModelUsage } from '../contracts/model-port/language-model';
import type {
  CallOptions,
  Assessment,
  AssessmentRequest,
  DecisionResult,
  DecisionRequest,
  TurnResult,
  TurnRequest,
} from '../contracts/model-port/port';
import { assessByRules } from './planning/assess';
import { decideByRules } from './planning/decide';
import { beforeExtraction, extractionTurn, isExtractionTurn } from './tasks/extraction-turn';
import { takeTurnByRules } from './tasks/take-turn';

const FREE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/**
 * The model that needs no credentials. It follows plain, explicit steps on the live page by fixed rules, so equal requests
 * get equal replies. docs/rules-grammar.md describes what it understands.
 */
export function createRulesModel(): {
  decide(request: DecisionRequest, options?: Pick<CallOptions, 'signal'>): Promise<DecisionResult>;
  assess(request: AssessmentRequest): Promise<Assessment>;
  turn(request: TurnRequest): Promise<TurnResult>;
} {
  return {
    async decide(request) {
      return { reply: decideByRules(request), usage: FREE, model: 'rules' };
    },
    async assess(request) {
      return { judgement: assessByRules(request), usage: FREE, model: 'rules' };
    },
    async turn(request) {
      return { ...takeTurnOf(request), usage: FREE, model: 'rules' };
    },
  };
}

/** A task that is to return a result does first what it says, then reads the pages. */
function takeTurnOf(request: TurnRequest): Omit<TurnResult, 'usage' | 'model'> {
  const { extraction, task, pastTurns } = request;
  if (extraction === undefined) return takeTurnByRules(request);
  const before = extraction.isStep ? '' : beforeExtraction(task);
  if (before === '' || pastTurns.some(isExtractionTurn)) return extractionTurn(request, extraction);
  const reply = takeTurnByRules({ ...request, task: before });
  const isDone = reply.functionCalls.length === 0 && reply.isGivenUp !== true;
  return isDone ? extractionTurn({ ...request, url: undefined }, extraction) : reply;
}
