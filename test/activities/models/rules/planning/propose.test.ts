import { z } from 'zod';
import type { PageNode, PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';
import type { DecisionRequest } from '../../../../../contracts/model-port/port';
import { decideByRules } from '../../../../../rules/planning/decide';
import { anObservedCommand } from '../../../../support/evidence';

function aPage(children: PageNode['children']): PageSnapshot {
  const nodes: PageNode[] = [{ role: 'generic', ref: 'e1', ...(children && { children }) }];
  return { snapshotId: 'look', url: 'https://shop.test/', title: 'Office', tabs: [], nodes };
}

const row = (name: string, city: string, at: number): PageNode => ({
  role: 'row',
  ref: `r${at}`,
  children: [
    { role: 'cell', name, ref: `n${at}`, children: [name] },
    { role: 'cell', name: city, ref: `c${at}`, children: [city] },
    {
      role: 'cell',
      ref: `b${at}`,
      children: [
        { role: 'button', name: '★', ref: `s${at}` },
        { role: 'button', name: 'Delete', ref: `d${at}` },
      ],
    },
  ],
});

const CUSTOMERS = aPage([
  {
    role: 'table',
    name: 'Customers',
    ref: 't1',
    children: [row('Anna Berg', 'Graz', 1), row('Otto Fischer', 'Kiel', 2)],
  },
]);

const part = (name: string, at: number): PageNode => ({
  role: 'group',
  name,
  ref: `g${at}`,
  children: [
    { role: 'textbox', name: 'Name', ref: `p${at}` },
    { role: 'textbox', name: 'E-mail', ref: `m${at}` },
    { role: 'textbox', name: 'Town', ref: `w${at}` },
  ],
});

const FORM = aPage([
  part('Deliver to', 1),
  part('Invoice to', 2),
  { role: 'checkbox', name: 'Urgent', ref: 'u1' },
  { role: 'button', name: 'Deliver', ref: 'x1' },
  { role: 'button', name: 'Save', ref: 'x2' },
]);

function decide(instruction: string, snapshot: PageSnapshot, more: Partial<DecisionRequest> = {}) {
  return decideByRules({
    instruction,
    stepIndex: 0,
    iteration: 0,
    maxIterations: 5,
    mayAct: true,
    pastIterations: [],
    snapshot,
    variables: [],
    ...more,
  });
}

describe('a step that is refused', () => {
  test.each<[step: string, page: PageSnapshot, proposals: string[] | undefined]>([
    ['delete Otto Fischer from Wien', CUSTOMERS, ['click "Delete" in "Otto Fischer"']],
    [
      'Please to delete the quixotic Otto Fischer, yes',
      CUSTOMERS,
      ['click "Delete" in "Otto Fischer", then accept the dialog'],
    ],
    ['click Delete', CUSTOMERS, ['click "Delete" in "Anna Berg"', 'click "Delete" in "Otto Fischer"']],
    ['Take the quixotic star off Anna Berg', CUSTOMERS, ['click "★" in "Anna Berg"']],
    [
      'In the quixotic part Deliver to, write the e-mail ann@shop.test',
      FORM,
      ['type "ann@shop.test" into "E-mail" in "Deliver to"'],
    ],
    ['We cannot wait any more, so tick the quixotic urgent, then save', FORM, ['check "Urgent", then save']],
    ['delete Zanzibar', CUSTOMERS, undefined],
  ])('proposes for “%s” what this page has', (step, page, proposals) => {
    const refused = decide(step, page);
    expect(refused.decision.action).toBe('ABORT');
    expect(refused.context?.['proposals']).toEqual(proposals);
    const [, said] = refused.decision.message.split(' Did you mean: ');
    expect(said).toBe(proposals && `${proposals.join(', or ')}?`);
  });

  test('proposes nothing that this page can not begin with', () => {
    for (const step of ['click Delete', 'delete Otto Fischer from Wien', 'Take the quixotic star off Anna Berg']) {
      const proposals = z.array(z.string()).parse(decide(step, CUSTOMERS).context?.['proposals']);
      for (const proposal of proposals) {
        const reply = decide(proposal, CUSTOMERS);
        expect(reply.decision.action).toBe('PROCEED');
        expect(reply.commands.at(-1)?.action).toBe('CLICK_ELEMENT');
      }
    }
  });

  test('proposes a yes where the browser asked a question that nobody answered', () => {
    const instruction = 'delete Otto Fischer, then click "★" in "Anna Berg"';
    const first = decide(instruction, CUSTOMERS);
    const [{ action, parameters } = { action: 'CLICK_ELEMENT' as const, parameters: {} }] = first.commands;
    const asked = anObservedCommand({
      dialogs: [{ type: 'confirm', message: 'Really?', accepted: false, isUnanswered: true }],
    });
    const outcome = { action, parameters, status: 'done' as const, evidence: asked };
    const refused = decide(instruction, CUSTOMERS, { pastIterations: [{ ...first, outcomes: [outcome] }] });
    expect(refused.decision.message).toContain(
      'Did you mean: delete Otto Fischer, then accept the dialog, then click "★" in "Anna Berg"?',
    );
  });

  test.each([
    ['delete Otto Fischer, yes', true],
    ['delete Otto Fischer, then confirm', true],
    ['delete Otto Fischer. Answer Cancel', false],
  ])('answers a question of the browser with the press that it comes of: %s', (step, accept) => {
    const first = decide(step, CUSTOMERS);
    expect(first.commands).toMatchObject([
      { action: 'HANDLE_DIALOG', parameters: { accept } },
      { action: 'CLICK_ELEMENT', parameters: { selector: 'ref=d2' } },
    ]);
    const asked = anObservedCommand({ dialogs: [{ type: 'confirm', message: 'Really?', accepted: accept }] });
    const outcomes = first.commands.map(({ action, parameters }) => ({
      action,
      parameters,
      status: 'done' as const,
      evidence: action === 'CLICK_ELEMENT' ? asked : anObservedCommand(),
    }));
    const done = decide(step, CUSTOMERS, { pastIterations: [{ ...first, outcomes }] });
    expect(done.decision.action).toBe('PROCEED');
    expect(done.commands).toEqual([]);
  });

  test('gives a press that is read by its words the answer of the step', () => {
    const kinds = (step: string): string[] => decide(step, CUSTOMERS).commands.map(({ action }) => action);
    expect(kinds('Delete the customer Otto Fischer out from the list')).toEqual(['CLICK_ELEMENT']);
    expect(kinds('Delete the customer Otto Fischer out from the list, then accept the dialog')).toEqual([
      'HANDLE_DIALOG',
      'CLICK_ELEMENT',
    ]);
  });
});
