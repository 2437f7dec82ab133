import type { BrowserToolArgs } from '../../../contracts/tools/browser-tools';
import type { BrowserPlan } from '../browser-plan';

/** Tools that only look. */

export function readPage({ filter, max_chars }: BrowserToolArgs<'read_page'>): BrowserPlan {
  return {
    action: 'READ_PAGE',
    parameters: {
      ...(filter === undefined ? {} : { filter }),
      ...(max_chars === undefined ? {} : { maxCharacters: max_chars }),
    },
    classification: 'read',
    summary: 'Read the page',
  };
}

export function find({ query }: BrowserToolArgs<'find'>): BrowserPlan {
  return {
    action: 'FIND_ELEMENTS',
    parameters: { query },
    classification: 'read',
    summary: `Look for “${query}” on the page`,
  };
}

export function getPageText({ max_chars }: BrowserToolArgs<'get_page_text'>): BrowserPlan {
  return {
    action: 'READ_TEXT',
    parameters: max_chars === undefined ? {} : { maxCharacters: max_chars },
    classification: 'read',
    summary: 'Read the text of the page',
  };
}

export function extract({ schema }: BrowserToolArgs<'extract'>): BrowserPlan {
  return { action: 'EXTRACT', parameters: { schema }, classification: 'read', summary: 'Read data of the page' };
}

export function wait({ text, hidden, seconds }: BrowserToolArgs<'wait'>): BrowserPlan {
  return {
    action: 'WAIT_FOR',
    parameters: {
      ...(text === undefined ? {} : { text }),
      ...(hidden === undefined ? {} : { hidden }),
      ...(seconds === undefined ? {} : { seconds }),
    },
    classification: 'read',
    summary: text === undefined ? `Wait ${seconds} s` : `Wait until “${text}” is ${hidden === true ? 'gone' : 'there'}`,
  };
}

export function tabs({ tab }: BrowserToolArgs<'tabs'>): BrowserPlan {
  return tab === undefined
    ? { action: 'LIST_TABS', parameters: {}, classification: 'read', summary: 'List the tabs' }
    : { action: 'SWITCH_TAB', parameters: { tab }, classification: 'read', summary: `Go to the tab “${tab}”` };
}
