import { elementOf } from '../planning/element';
import type { Planners } from './planner';
import { refIn } from '../../../../rules/page-text/durable-target';

/** Tools that only look. */
export const readingPlanners = {
  read_page: ({ filter, max_chars }) => ({
    action: 'READ_PAGE',
    parameters: { filter, maxCharacters: max_chars },
    classification: 'read',
    summary: 'Read the page',
  }),
  get_page_text: ({ max_chars }) => ({
    action: 'READ_TEXT',
    parameters: { maxCharacters: max_chars },
    classification: 'read',
    summary: 'Read the text of the page',
  }),
  extract: ({ fields, rows, values }, context) => ({
    action: 'EXTRACT',
    parameters: {
      fields,
      rows,
      chosen: values?.map(({ member, ref, attribute }) => {
        const { selector, nth, of } = elementOf(context, ref).target;
        return { member, ref: refIn(ref)!, selector, nth, of, ...(attribute === undefined ? {} : { attribute }) };
      }),
    },
    classification: 'read',
    summary: 'Read data of the page',
  }),
  wait: ({ text, hidden, seconds }) => ({
    action: 'WAIT_FOR',
    parameters: { text, hidden, seconds },
    classification: 'read',
    summary: text === undefined ? `Wait ${seconds} s` : `Wait until “${text}” is ${hidden === true ? 'gone' : 'there'}`,
  }),
  tabs: ({ tab }) =>
    tab === undefined
      ? { action: 'LIST_TABS', parameters: {}, classification: 'read', summary: 'List the tabs' }
      : { action: 'SWITCH_TAB', parameters: { tab }, classification: 'read', summary: `Go to the tab “${tab}”` },
} satisfies Partial<Planners>;
