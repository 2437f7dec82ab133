/** What using a control does beyond what its role says: by its form, and by the text of its handlers. */
export interface ControlActs {
  /** Its tag or type, where it is a control of the browser: `textarea`, `select`, `checkbox`; `editable` for other fields. */
  native?: string;
  /** What pressing it sends, or, of a field, what Enter in it sends. */
  form?: FormActs;
  handles?: HandledKind[];
  /** What its handlers do by their text. */
  scripts?: ScriptKind[];
  /** Pressing it opens a dialog or a menu of the page, by its attributes or its handlers. */
  opensDialog?: true;
  /** Keys that press it, as `accesskey` and `aria-keyshortcuts` name them. */
  shortcuts?: string[];
}

export type HandledKind = 'click' | 'change' | 'key' | 'drop';
/** `sends`: a request that may change something, or a form; `deletes`, `pays`: functions of such names. */
export type ScriptKind = 'sends' | 'deletes' | 'pays' | 'delete key' | 'enter key';

export interface FormActs {
  /** In capitals; `DIALOG` sends nothing. */
  method: string;
  /** Absolute, with its query. */
  address: string;
  /** What the button that is pressed says; absent where a form without one is sent. */
  button?: string;
  /** Names of the fields that are sent, and `name=value` of hidden ones and of the button where the value is a word. */
  fields: string[];
  /** A script of the page gets it before it is sent. */
  isScripted?: true;
  /** What the form's own handlers do by their text. */
  scripts?: ScriptKind[];
}
