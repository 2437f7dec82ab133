import type { ModelUsage } from '../language-model';
import type {
  CallOptions,
  Assessment,
  AssessmentRequest,
  DecisionResult,
  DecisionRequest,
  TurnResult,
  TurnRequest,
} from '../port';
import { assess } from './planning/assess';
import { decide } from './planning/decide';
import { takeTurn } from './tasks/take-turn';

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
      return { reply: decide(request), usage: FREE, model: 'rules' };
    },
    async assess(request) {
      return { judgement: assess(request), usage: FREE, model: 'rules' };
    },
    async turn(request) {
      return { ...takeTurn(request), usage: FREE, model: 'rules' };
    },
  };
}
