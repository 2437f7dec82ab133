/** Steps that the rules take over from a recipe: what it has done is not done again. */
import { decideByRules } from '../../../../../rules/planning/decide';
import type { PastCommand, DecisionRequest, PastIteration } from '../../../../../contracts/model-port/port';
import { DecisionAction } from '../../../../../contracts/models/ai-response';
import { inContext } from '../../../../../contracts/recipes/in-reply';
import { anObservedCommand } from '../../../../support/evidence';

const FIELD = { action: 'INPUT_TEXT', parameters: { selector: 'role=textbox[name="Note"]', text: 'x' } } as const;
const PRESS = { action: 'CLICK_ELEMENT', parameters: { selector: 'role=button[name="Order now"]' } } as const;
const INSTRUCTION = 'type "x" into Note, click "Order now" and click "Show receipt"';

/** Of a recipe that filled in the field and pressed the button, on a page that has moved on or still has it. */
function afterRecipe(notes: Record<string, unknown>, press: Partial<PastCommand>, buttons: string[]): DecisionRequest {
  const done: PastIteration = {
    turn: 0,
    decision: { action: DecisionAction.RETRY, message: 'by a recipe' },
    reasoning: { analysis: '', rationale: '', expectedOutcome: '', confidence: 1 },
    commands: [FIELD, PRESS],
    context: { ...inContext({ recipeId: 'rcp_0000000000000000', version: 1, round: 0 }), ...notes },
    outcomes: [
      { ...FIELD, status: 'done', evidence: anObservedCommand() },
      { ...PRESS, status: 'done', evidence: anObservedCommand(), ...press },
    ],
  };
  return {
    instruction: INSTRUCTION,
    stepIndex: 0,
    iteration: 1,
    maxIterations: 5,
    mayAct: true,
    pastIterations: [done],
    snapshot: {
      snapshotId: 's',
      url: 'https://shop.test/orders',
      title: 'Shop',
      tabs: [],
      nodes: buttons.map((name, index) => ({ role: 'button', name, ref: `e${index + 1}` })),
    },
    variables: [],
  };
}

const asked = (request: DecisionRequest) =>
  decideByRules(request).commands.map(({ parameters }) => parameters.selector);

test('the rules go on behind what a recipe has done, whether the page still has it or not', () => {
  const parts = { plan: [0, 1] };
  expect(asked(afterRecipe(parts, {}, ['Show receipt']))).toEqual(['ref=e1']);
  expect(asked(afterRecipe(parts, {}, ['Order now', 'Show receipt']))).toEqual(['ref=e2']);
});

test('where nothing says which part of the step a click of a recipe was, nothing is done again', () => {
  const buttons = ['Order now', 'Show receipt'];
  for (const press of [{}, { status: 'unknown' as const }]) {
    const reply = decideByRules(afterRecipe({}, press, buttons));
    expect(reply).toMatchObject({ decision: { action: DecisionAction.ABORT }, commands: [] });
    expect(reply.decision.message).toContain('nothing of it is done again');
  }
  // A click that did not happen is done now.
  const failed = { status: 'failed' as const, error: { code: 'EX002', message: 'gone' } };
  expect(decideByRules(afterRecipe({}, failed, buttons)).decision.action).not.toBe(DecisionAction.ABORT);
});
