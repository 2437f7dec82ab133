/** The roles that a word for a kind of control means; `otherwise` are roles that pages often use in their place. */
export interface RoleWord {
  word: string;
  roles: readonly string[];
  otherwise?: readonly string[];
  /** Of fields of both kinds those of one line, or of several, are meant. */
  lines?: 'one' | 'several';
}

export const EDITABLE = ['textbox', 'searchbox', 'spinbutton', 'combobox'] as const;
export const CHECKABLE = ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'] as const;
export const LISTS = ['combobox', 'listbox'] as const;
const MENU_ITEMS = ['menuitem', 'menuitemcheckbox', 'menuitemradio'];
const SECTIONS = ['region', 'group', 'form', 'article', 'complementary', 'main', 'navigation', 'tabpanel', 'banner'];

const WORDS: [words: string, roles: readonly string[], otherwise?: readonly string[]][] = [
  ['button', ['button'], ['link', 'menuitem', 'tab', 'generic']],
  ['link|hyperlink|anchor', ['link'], ['button', 'tab', 'menuitem', 'generic', 'treeitem']],
  [
    'field|input|box|textbox|text box|text field|input field|input box|text area|textarea|text input|input textbox|editor|contenteditable',
    EDITABLE,
    ['generic'],
  ],
  ['search field|search box|search input|search bar', ['searchbox']],
  [
    'dropdown|drop-down|drop down|dropdown list|select|select box|selectbox|list box|listbox|combo box|combobox|picker|selector',
    LISTS,
  ],
  ['list', [...LISTS, 'list'], ['button']],
  ['menu', [...LISTS, 'menu', 'menubar'], ['button', 'link', ...MENU_ITEMS]],
  ['checkbox|check box|tick box|tickbox', ['checkbox'], CHECKABLE],
  ['radio button|radio|radio option', ['radio', 'menuitemradio']],
  ['option|choice', ['radio', 'option', 'menuitemradio'], [...MENU_ITEMS, 'checkbox', 'tab', 'button', 'link']],
  ['switch|toggle', ['switch'], ['checkbox', 'button']],
  ['slider|range', ['slider']],
  ['spinner|stepper|spin button|number field', ['spinbutton']],
  ['tree item|tree node|folder|file|node', ['treeitem'], ['link', 'button', 'listitem', 'generic']],
  ['tab', ['tab'], ['link', 'button']],
  ['menu item|menu entry|menuitem', [...MENU_ITEMS, 'option'], ['link', 'button']],
  ['heading|headline', ['heading']],
  ['header|page header', ['banner'], ['heading', 'columnheader']],
  ['footer|page footer', ['contentinfo']],
  ['navigation|nav|navbar|nav bar', ['navigation']],
  ['sidebar|side bar|side menu|side navigation', ['complementary'], ['navigation']],
  ['toolbar|tool bar', ['toolbar'], ['group']],
  ['image|picture|icon|logo|photo', ['img'], ['link', 'button']],
  ['row|line|table row|tr', ['row']],
  ['cell|td', ['cell', 'gridcell', 'rowheader', 'columnheader']],
  ['column|column header|header cell|table header', ['columnheader']],
  ['table|grid', ['table', 'grid', 'treegrid']],
  [
    'dialog|dialog box|popup|pop-up|popup window|modal|modal dialog|window|overlay|lightbox',
    ['dialog', 'alertdialog'],
    ['alert', 'region'],
  ],
  ['tree|file tree', ['tree']],
  ['banner', ['banner', 'region', 'dialog', 'alertdialog', 'alert', 'complementary']],
  ['section|region|area|panel|form|group|fieldset|block|accordion|collapsible|disclosure', SECTIONS],
  [
    'result|search result|item|entry|card|list item|product',
    ['listitem', 'article'],
    ['row', 'option', 'link', 'menuitem', 'treeitem', 'generic'],
  ],
  [
    'message|alert|notice|error|status|notification|toast|warning|error message|status message|success message',
    ['alert', 'status', 'log'],
    ['paragraph', 'generic'],
  ],
  ['paragraph', ['paragraph']],
  // Developers name elements by their tags.
  ['li', ['listitem', 'option', 'menuitem', 'treeitem'], ['link', 'button', 'generic']],
  ['div|span', ['generic'], ['button', 'link', 'img', 'listitem', 'option', 'menuitem', 'tab']],
];

const BY_WORD = new Map<string, RoleWord>();
for (const [words, roles, otherwise] of WORDS) {
  for (const word of words.split('|')) {
    const lines = linesOf(word);
    BY_WORD.set(word, { word, roles, ...(otherwise && { otherwise }), ...(lines && { lines }) });
  }
}

function linesOf(word: string): RoleWord['lines'] {
  if (/^text ?area$/.test(word)) return 'several';
  return /^(?:text ?box|text field|text input|input textbox)$/.test(word) ? 'one' : undefined;
}

/** All role words as the source of a regular expression, the longest first, so that "radio button" is not read as "button". */
export const ROLE_WORD = [...BY_WORD.keys()].sort((a, b) => b.length - a.length).join('|');

export function roleWord(word: string): RoleWord | undefined {
  return BY_WORD.get(word.toLowerCase().replace(/\s+/g, ' ').trim());
}

/** Words for a kind of thing that has no role of its own. They may be dropped where no name contains them. */
export const NOUN = 'page|step|filter|category|setting|record|site|website|address|number|value|add-on|language';

/** Things that have a name, and what belongs to it: "the comment of Ann". */
export const THING =
  'plan|tier|user|email|mail|conversation|thread|photo|picture|video|review|element|control|account|customer|person|member|question|comment|post|article|project|order|invoice|ticket|task|todo|widget';

/** Kinds whose role an expectation can ask for; of others the words suffice. */
export const EXPECTED_KINDS = new Set([
  'button',
  'link',
  'heading',
  'tab',
  'image',
  'checkbox',
  'radio button',
  'switch',
  'menu item',
]);
