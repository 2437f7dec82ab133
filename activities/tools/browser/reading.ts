import type { BrowserToolArgs } from '../../../contracts/tools/browser-tools';
import type { BrowserDraft } from '../draft';

/** Tools that only look. */

export function readPage({ filter, max_chars }: BrowserToolArgs<'read_page'>): BrowserDraft {
  return {
    action: 'READ_PAGE',
    parameters: {
      ...(filter === undefined ? {} : { filter }),
      ...(max_chars === undefined ? {} : { maxCharacters: max_chars }),
    },
    classification: 'read',
    does: 'Read the page',
  };
}

export function find({ query }: BrowserToolArgs<'find'>): BrowserDraft {
  return {
    action: 'FIND_ELEMENTS',
    parameters: { query },
    classification: 'read',
    does: `Look for “${query}” on the page`,
  };
}

export function getPageText({ max_chars }: BrowserToolArgs<'get_page_text'>): BrowserDraft {
  return {
    action: 'READ_TEXT',
    parameters: max_chars === undefined ? {} : { maxCharacters: max_chars },
    classification: 'read',
    does: 'Read the text of the page',
  };
}

export function extract({ schema }: BrowserToolArgs<'extract'>): BrowserDraft {
  return { action: 'EXTRACT', parameters: { schema }, classification: 'read', does: 'Read data of the page' };
}

export function wait({ text, hidden, seconds }: BrowserToolArgs<'wait'>): BrowserDraft {
  return {
    action: 'WAIT_FOR',
    parameters: {
      ...(text === undefined ? {} : { text }),
      ...(hidden === undefined ? {} : { hidden }),
      ...(seconds === undefined ? {} : { seconds }),
    },
    classification: 'read',
    does: text === undefined ? `Wait ${seconds} s` : `Wait until “${text}” is ${hidden === true ? 'gone' : 'there'}`,
  };
}

export function tabs({ tab }: BrowserToolArgs<'tabs'>): BrowserDraft {
  return tab === undefined
    ? { action: 'LIST_TABS', parameters: {}, classification: 'read', does: 'List the tabs' }
    : { action: 'SWITCH_TAB', parameters: { tab }, classification: 'read', does: `Go to the tab “${tab}”` };
}
