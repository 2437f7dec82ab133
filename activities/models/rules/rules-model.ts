import type {
  CallOptions,
  Assessment,
  AssessmentRequest,
  DecisionResult,
  ModelUsage,
  DecisionRequest,
  TurnResult,
  TurnRequest,
} from '../port';
import { assess } from './planning/assess';
import { decide } from './planning/decide';
import { takeTurn } from './tasks/take-turn';

const FREE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/**
 * The model that needs no credentials: it follows plain, explicit steps on the live page by fixed rules. The same
 * question always gets the same answer. docs/rules-grammar.md says what it understands.
 */
export function createRulesModel(): {
  decide(question: DecisionRequest, asking?: Pick<CallOptions, 'signal'>): Promise<DecisionResult>;
  assess(question: AssessmentRequest): Promise<Assessment>;
  turn(question: TurnRequest): Promise<TurnResult>;
} {
  return {
    async decide(question) {
      return { reply: decide(question), usage: FREE, model: 'rules' };
    },
    async assess(question) {
      return { judgement: assess(question), usage: FREE, model: 'rules' };
    },
    async turn(question) {
      return { ...takeTurn(question), usage: FREE, model: 'rules' };
    },
  };
}
