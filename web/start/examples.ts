import type { StartRequest } from '../../contracts/sessions/start-request';
import demo from '../../examples/demo-session.json';
import dialogs from '../../examples/dialogs-session.json';
import forms from '../../examples/forms-session.json';
import tables from '../../examples/tables-session.json';

/** Sessions against the demo shop, by what the choice calls them. */
export const EXAMPLES: Readonly<Record<string, StartRequest>> = {
  'Buy a shoe in the demo shop': demo,
  'Fill in a form': { name: 'Fill in a form', ...forms },
  'Answer dialogs': { name: 'Answer dialogs', ...dialogs },
  'Read a table': { name: 'Read a table', ...tables },
};
