import {
  AIGeneratedCommandSchema,
  BrowserActionSchema,
  BrowserParametersSchema,
  EFFECT_CLASS,
  ParametersByAction,
  type BrowserAction,
} from '../../../contracts/commands/commands';

type Row = [action: `${BrowserAction}`, parameters: Record<string, unknown>];

test.each<Row>([
  ['OPEN_PAGE', { url: 'https://shop.test/' }],
  ['OPEN_PAGE', { url: 'http://127.0.0.1:3000/a?b=c#d' }],
  ['OPEN_PAGE', { url: 'about:blank' }],
  ['OPEN_PAGE', { url: '${base}/cart' }],
  ['CLICK_ELEMENT', { selector: 'ref=e12' }],
  ['INPUT_TEXT', { selector: '#name', text: '' }],
  ['SAVE_VARIABLE', { selector: '#total', variableName: '_total1' }],
  ['GET_DOM', {}],
  ['SELECT_OPTION', { selector: 'select', option: 'Two' }],
  ['SET_CHECKED', { selector: 'input', checked: false }],
  ['PRESS_KEY', { key: 'Enter' }],
  ['SCROLL', { to: 'bottom' }],
  ['WAIT_FOR', { text: 'Thank you', seconds: 60 }],
  ['EXPECT', { title: 'Cart', absent: true }],
  ['GO_BACK', {}],
  ['SWITCH_TAB', { tab: 'last' }],
  ['HANDLE_DIALOG', { accept: true, promptText: 'yes' }],
])('[S1.R9, S1.A7] %s takes %j', (action, parameters) => {
  expect(ParametersByAction[action].safeParse(parameters).success).toBe(true);
  expect(AIGeneratedCommandSchema.safeParse({ action, parameters }).success).toBe(true);
});

test.each<Row>([
  ['OPEN_PAGE', {}],
  ['OPEN_PAGE', { url: '/cart' }],
  ['OPEN_PAGE', { url: 'file:///etc/passwd' }],
  ['OPEN_PAGE', { url: 'javascript:alert(1)' }],
  ['OPEN_PAGE', { url: 'https://shop.test/', selector: '#a' }],
  ['CLICK_ELEMENT', {}],
  ['CLICK_ELEMENT', { selector: '' }],
  ['CLICK_ELEMENT', { selector: '#a', text: 'b' }],
  ['INPUT_TEXT', { selector: '#a' }],
  ['INPUT_TEXT', { text: 'a' }],
  ['SAVE_VARIABLE', { selector: '#a', variableName: 'a-b' }],
  ['SAVE_VARIABLE', { selector: '#a', variableName: '1a' }],
  ['SAVE_VARIABLE', { variableName: 'a' }],
  ['GET_DOM', { selector: '#a' }],
  ['SELECT_OPTION', { selector: 'select' }],
  ['SET_CHECKED', { selector: 'input' }],
  ['PRESS_KEY', { key: '' }],
  ['SCROLL', { to: 'sideways' }],
  ['WAIT_FOR', { seconds: 61 }],
  ['GO_BACK', { url: 'https://shop.test/' }],
  ['SWITCH_TAB', {}],
  ['HANDLE_DIALOG', {}],
])('[S1.R9, S1.A7] %s refuses %j', (action, parameters) => {
  expect(ParametersByAction[action].safeParse(parameters).success).toBe(false);
});

test('every action has parameters and an effect class, and every parameter has a place in the flat bag', () => {
  const actions = [...BrowserActionSchema.options].sort();
  expect(Object.keys(ParametersByAction).sort()).toEqual(actions);
  expect(Object.keys(EFFECT_CLASS).sort()).toEqual(actions);
  for (const action of actions) {
    for (const name of Object.keys(ParametersByAction[action].shape)) {
      expect(Object.keys(BrowserParametersSchema.shape)).toContain(name);
    }
  }
});

test('a click and a key may change the world a second time; looking never does', () => {
  expect(EFFECT_CLASS).toMatchObject({
    CLICK_ELEMENT: 'commit',
    PRESS_KEY: 'commit',
    OPEN_PAGE: 'idempotent',
    INPUT_TEXT: 'idempotent',
    SAVE_VARIABLE: 'pure',
    GET_DOM: 'pure',
  });
});

test('a command of the model with a session id is refused', () => {
  const command = { action: 'GET_DOM', parameters: {}, sessionId: 's' };
  expect(AIGeneratedCommandSchema.safeParse(command).success).toBe(false);
});
