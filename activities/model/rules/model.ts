import type {
  Asking,
  Assessment,
  InvestigationQuestion,
  ModelAnswer,
  ModelUsage,
  StepQuestion,
  TurnAnswer,
  TurnQuestion,
} from '../port';
import { assess } from './assess';
import { decide } from './plan';
import { takeTurn } from './turn';

const FREE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/**
 * The model that needs no credentials: it follows plain, explicit steps on the live page by fixed rules. The same
 * question always gets the same answer. docs/rules-grammar.md says what it understands.
 */
export function createRulesModel(): {
  decide(question: StepQuestion, asking?: Pick<Asking, 'signal'>): Promise<ModelAnswer>;
  assess(question: InvestigationQuestion): Promise<Assessment>;
  turn(question: TurnQuestion): Promise<TurnAnswer>;
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
