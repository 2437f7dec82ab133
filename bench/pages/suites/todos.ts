import type { Scenario, Suite, Truth } from '../scenario';
import { demoSuite } from './demos';
import { scenario } from './plain';

const ADD = [
  'Type "Milk" into "What needs to be done?" and press Enter',
  'Type "Bread" into "What needs to be done?" and press Enter',
];

const ROWS: readonly (readonly [name: string, steps: readonly string[], expected: Truth])[] = [
  ['add', [], { todos: ['- Milk', '- Bread'] }],
  ['complete', ['In the item Bread tick the checkbox'], { todos: ['- Milk', 'x Bread'] }],
  ['complete-all', ['Check "Mark all as complete"'], { todos: ['x Milk', 'x Bread'] }],
  ['filter', ['Click Active'], { shown: 'Active' }],
  [
    'edit',
    ['Double-click Milk', 'Type "Oat milk" into the second field and press Enter'],
    { todos: ['- Oat milk', '- Bread'] },
  ],
  ['remove', ['Hover over Milk', 'In the item Milk click the button'], { todos: ['- Bread'] }],
  ['clear', ['Check "Mark all as complete"', 'Click "Clear completed"'], { todos: [] }],
];

const SCENARIOS: Scenario[] = ['react', 'vue', 'lit'].flatMap((framework) =>
  ROWS.map(([name, steps, expected]) =>
    scenario(`${framework}-${name}`, `todo-${framework}.html`, [...ADD, ...steps], expected),
  ),
);

/** TodoMVC in three frameworks. */
export function todos(): Suite {
  return demoSuite('todos', SCENARIOS, '?filled');
}
