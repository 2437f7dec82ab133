/**
 * Names by the specification of accessible names (accname 1.2, with HTML-AAM), one rule a case, in the order of its steps:
 * what the element with `data-it` is called. `@` stands for the number of the case, so that ids are unique. The rules are
 * those that the tests of the Web Platform Tests (accname/name) and the tables of dom-accessibility-api cover.
 */
export type NameCase = readonly [rule: string, markup: string, name: string];

const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==';

export const HIDDEN: readonly NameCase[] = [
  ['hidden content is left out', `<button data-it>Save<span hidden> now</span></button>`, 'Save'],
  ['so is what has no box', `<button data-it><i style="display: none">x</i>Open</button>`, 'Open'],
  [
    'and what is invisible',
    `<a href="#" data-it>Read <span style="visibility: hidden">all</span> more</a>`,
    'Read more',
  ],
  ['and what is hidden from readers', `<button data-it><span aria-hidden="true">★</span> Rate</button>`, 'Rate'],
  [
    'a hidden element names another that refers to it',
    `<i id="h@" hidden>Postal code</i><input data-it aria-labelledby="h@">`,
    'Postal code',
  ],
  [
    'with all that is hidden in it',
    `<i id="n@" style="display: none">North <b style="display: none">east</b></i><button data-it aria-labelledby="n@">x</button>`,
    'North east',
  ],
  [
    'a shown one without what is hidden in it',
    `<i id="s@">South <b hidden>west</b></i><button data-it aria-labelledby="s@">x</button>`,
    'South',
  ],
  [
    'the same where only its style hides it',
    `<i id="t@">Upper <b style="visibility: hidden">lower</b></i><button data-it aria-labelledby="t@">x</button>`,
    'Upper',
  ],
  [
    'the same where readers do not get it',
    `<i id="r@">Inner <b aria-hidden="true">outer</b></i><button data-it aria-labelledby="r@">x</button>`,
    'Inner',
  ],
  [
    'what is invisible as a whole counts as a whole',
    `<i id="v@" style="visibility: hidden">Left <b>right</b></i><button data-it aria-labelledby="v@">x</button>`,
    'Left right',
  ],
  [
    'what readers do not get as a whole, too',
    `<i id="a@" aria-hidden="true">Early <b>late</b></i><button data-it aria-labelledby="a@">x</button>`,
    'Early late',
  ],
];

export const LABELLEDBY: readonly NameCase[] = [
  [
    'aria-labelledby before aria-label and content',
    `<b id="l@">Total</b><button data-it aria-labelledby="l@" aria-label="Sum">x</button>`,
    'Total',
  ],
  [
    'several ids in the order in which they are given',
    `<b id="p@">two</b><b id="q@">one</b><button data-it aria-labelledby="q@ p@">x</button>`,
    'one two',
  ],
  [
    'ids that lead nowhere are passed over',
    `<button data-it aria-labelledby="none@" aria-label="Send">x</button>`,
    'Send',
  ],
  [
    'the element itself may be part of its name',
    `<b id="f@">report.pdf</b><button data-it id="d@" aria-label="Delete" aria-labelledby="d@ f@">x</button>`,
    'Delete report.pdf',
  ],
  [
    'references are followed once',
    `<b id="x@" aria-labelledby="y@">Far</b><i id="y@">Further</i><button data-it aria-labelledby="x@">x</button>`,
    'Far',
  ],
  [
    'an aria-label of what is referred to',
    `<b id="m@" aria-label="Month">Mo</b><input data-it aria-labelledby="m@">`,
    'Month',
  ],
  [
    'the alternative text of an image that is referred to',
    `<img id="i@" alt="Logo" src="${DOT}"><button data-it aria-labelledby="i@">x</button>`,
    'Logo',
  ],
  [
    'the value of a list that is referred to',
    `<select id="k@"><option>Ada</option><option selected>Grace</option></select><button data-it id="g@" aria-labelledby="g@ k@">Pick</button>`,
    'Pick Grace',
  ],
  [
    'before the label of a field',
    `<b id="z@">Alias</b><label>Nickname <input data-it aria-labelledby="z@"></label>`,
    'Alias',
  ],
  [
    'a heading that contains the element',
    `<h2 id="w@">Chapter <a data-it href="#" aria-labelledby="w@"><svg width="9" height="9"></svg></a></h2>`,
    'Chapter',
  ],
];

export const LABEL: readonly NameCase[] = [
  ['aria-label before content', `<button data-it aria-label="Close">x</button>`, 'Close'],
  ['aria-label before a label', `<label>Street <input data-it aria-label="Road"></label>`, 'Road'],
  ['aria-label before an alternative text', `<img data-it alt="Photo" aria-label="Portrait" src="${DOT}">`, 'Portrait'],
  ['an empty aria-label says nothing', `<button data-it aria-label=" ">Go</button>`, 'Go'],
  ['spaces of an aria-label are trimmed', `<button data-it aria-label="  Next   page ">x</button>`, 'Next page'],
  [
    'an aria-label within content',
    `<button data-it>Add <span role="img" aria-label="red">#f00</span> dot</button>`,
    'Add red dot',
  ],
  [
    'an aria-label of a part without a role',
    `<a href="#" data-it><span aria-label="Basket">3</span> items</a>`,
    'Basket items',
  ],
  ...[
    'link',
    'button',
    'checkbox',
    'radio',
    'switch',
    'tab',
    'option',
    'menuitem',
    'menuitemcheckbox',
    'treeitem',
    'slider',
    'spinbutton',
    'textbox',
    'searchbox',
    'combobox',
    'listbox',
    'gridcell',
    'dialog',
    'region',
    'group',
    'heading',
    'img',
    'navigation',
    'toolbar',
  ].map((role): NameCase => [
    `aria-label of the role ${role}`,
    `<div data-it role="${role}" tabindex="0" aria-label="Name of ${role}">x</div>`,
    `Name of ${role}`,
  ]),
];

export const EMBEDDED: readonly NameCase[] = [
  [
    'the value of a field in a label',
    `<input data-it type="checkbox" id="e@"><label for="e@">Remind <input value="3" aria-label="count"> times</label>`,
    'Remind 3 times',
  ],
  [
    'the choice of a list in a label',
    `<input data-it type="checkbox" id="s@"><label for="s@">Every <select><option>day</option><option selected>week</option></select> once</label>`,
    'Every week once',
  ],
  [
    'the text of a slider in a label',
    `<input data-it type="checkbox" id="r@"><label for="r@">Dim to <span role="slider" aria-valuetext="half" aria-valuenow="50">o</span> light</label>`,
    'Dim to half light',
  ],
  [
    'the number of a spinbutton in a label',
    `<input data-it type="checkbox" id="n@"><label for="n@">Keep <span role="spinbutton" aria-valuenow="7">o</span> days</label>`,
    'Keep 7 days',
  ],
  [
    'the value of a number field in a label',
    `<input data-it type="radio" id="m@"><label for="m@">Wait <input type="number" value="5"> hours</label>`,
    'Wait 5 hours',
  ],
  [
    'the text of an area in a label',
    `<input data-it type="checkbox" id="t@"><label for="t@">Say <textarea>hello</textarea> first</label>`,
    'Say hello first',
  ],
  [
    'the chosen option of a listbox in a label',
    `<input data-it type="checkbox" id="b@"><label for="b@">Use <span role="listbox"><span role="option" aria-selected="true">blue</span> <span role="option">red</span></span> ink</label>`,
    'Use blue ink',
  ],
  ['not its own value', `<label>Age <input data-it value="10"></label>`, 'Age'],
];

export const NATIVE: readonly NameCase[] = [
  ...[
    'text',
    'email',
    'tel',
    'url',
    'search',
    'password',
    'number',
    'date',
    'time',
    'month',
    'range',
    'color',
    'checkbox',
    'radio',
  ].map((type): NameCase => [
    `the label of a field of type ${type}`,
    `<label for="f@">Label of ${type}</label><input data-it id="f@" type="${type}">`,
    `Label of ${type}`,
  ]),
  ['a label around a field', `<label>First <b>name</b> <input data-it></label>`, 'First name'],
  [
    'several labels',
    `<label for="a@">This is</label><input data-it type="checkbox" id="a@"><label for="a@">a test</label>`,
    'This is a test',
  ],
  ['the label of an area', `<label for="c@">Remarks</label><textarea data-it id="c@"></textarea>`, 'Remarks'],
  [
    'the label of a list',
    `<label for="d@">Country</label><select data-it id="d@"><option>Norway</option></select>`,
    'Country',
  ],
  ['the value of a button', `<input data-it type="button" value="Calculate">`, 'Calculate'],
  ['the value of a button that sends', `<input data-it type="submit" value="Send it">`, 'Send it'],
  ['the usual word of a button that sends', `<input data-it type="submit">`, 'Submit'],
  ['the usual word of a button that resets', `<input data-it type="reset">`, 'Reset'],
  ['the alternative text of an image button', `<input data-it type="image" alt="Find" src="${DOT}">`, 'Find'],
  ['the title of an image button', `<input data-it type="image" title="Seek" src="${DOT}">`, 'Seek'],
  ['the alternative text of an image', `<img data-it alt="Harbour" src="${DOT}">`, 'Harbour'],
  ['of an image in a button', `<button data-it><img alt="Search" src="${DOT}"></button>`, 'Search'],
  ['of an image in a link beside text', `<a href="#" data-it><img alt="New" src="${DOT}"> Offers</a>`, 'New Offers'],
  ['the title of a drawing', `<a href="#" data-it><svg width="9" height="9"><title>Home</title></svg></a>`, 'Home'],
  [
    'the legend of a set of fields',
    `<fieldset data-it><legend>Ship <em>to</em></legend><input aria-label="x"></fieldset>`,
    'Ship to',
  ],
  [
    'the caption of a table',
    `<table data-it><caption>Prices <i>now</i></caption><tr><td>1</td></tr></table>`,
    'Prices now',
  ],
  ['a placeholder where there is nothing else', `<input data-it placeholder="Your city">`, 'Your city'],
  ['a title before a placeholder', `<input data-it title="Town" placeholder="Your town">`, 'Town'],
  [
    'a label that is hidden',
    `<label for="h@" style="display: none">Quantity</label><input data-it id="h@">`,
    'Quantity',
  ],
  [
    'a label that readers do not get',
    `<label for="i@" aria-hidden="true">Weight</label><input data-it id="i@">`,
    'Weight',
  ],
];

export const CONTENT: readonly NameCase[] = [
  ...[
    'button',
    'link',
    'checkbox',
    'radio',
    'switch',
    'tab',
    'option',
    'menuitem',
    'menuitemradio',
    'treeitem',
    'cell',
    'gridcell',
    'columnheader',
    'rowheader',
    'heading',
    'tooltip',
  ].map((role): NameCase => [
    `the content of the role ${role}`,
    `<div data-it role="${role}" tabindex="0">Text <em>of</em> ${role}</div>`,
    `Text of ${role}`,
  ]),
  ['text nodes are joined as they stand', `<h3 data-it>Hel<!-- -->lo</h3>`, 'Hello'],
  ['inline parts are joined as they stand', `<button data-it>In<b>line</b></button>`, 'Inline'],
  ['blocks are separated', `<div data-it role="button" tabindex="0"><div>One</div><div>Two</div></div>`, 'One Two'],
  ['what is set as a block is, too', `<button data-it>A<span style="display: block">B</span>C</button>`, 'A B C'],
  ['lines that are broken', `<button data-it>Up<br>Down</button>`, 'Up Down'],
  [
    'generated content before and after',
    `<style>.g@::before { content: 'pre ' } .g@::after { content: ' post' }</style><button data-it class="g@">mid</button>`,
    'pre mid post',
  ],
  [
    'its alternative text',
    `<style>.u@::before { content: '★' / 'starred' }</style><button data-it class="u@"> item</button>`,
    'starred item',
  ],
  [
    'none that is empty for readers',
    `<style>.e@::before { content: '★' / '' }</style><button data-it class="e@">plain</button>`,
    'plain',
  ],
  [
    'parts that have no role of their own',
    `<button data-it><span role="presentation">Icon</span> text</button>`,
    'Icon text',
  ],
  ['a link within a heading', `<h3 data-it>See <a href="#">the guide</a></h3>`, 'See the guide'],
  ['the title of a part without content', `<button data-it><span title="Bold"></span></button>`, 'Bold'],
  [
    'slotted content',
    `<div><template shadowrootmode="open"><button data-it>Go <slot></slot></button></template>far</div>`,
    'Go far',
  ],
  [
    'the content of an empty slot',
    `<div><template shadowrootmode="open"><button data-it>Go <slot>near</slot></button></template></div>`,
    'Go near',
  ],
  [
    'a label in the same shadow tree',
    `<div><template shadowrootmode="open"><b id="o">Type here</b><input data-it aria-labelledby="o"></template></div>`,
    'Type here',
  ],
];

export const TITLE: readonly NameCase[] = [
  ['the title of a button without content', `<button data-it title="Italic"></button>`, 'Italic'],
  ['content before a title', `<button data-it title="Tip">Print</button>`, 'Print'],
  [
    'the title of a link with an empty image',
    `<a href="#" data-it title="Profile"><img alt="" src="${DOT}"></a>`,
    'Profile',
  ],
  ['the title of an image', `<img data-it title="Map" src="${DOT}">`, 'Map'],
  ['the title of a field', `<input data-it title="Coupon">`, 'Coupon'],
  ['the title of a box', `<input data-it type="checkbox" title="Agree">`, 'Agree'],
  ['the title of a list', `<select data-it title="Colour"><option>Red</option></select>`, 'Colour'],
  ['the title of a group', `<div data-it role="group" title="Filters"><button>x</button></div>`, 'Filters'],
  ['an empty title says nothing', `<button data-it title="">Undo</button>`, 'Undo'],
];
