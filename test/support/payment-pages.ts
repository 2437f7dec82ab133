/** A page on which 10 is to be paid: where the amount stands, and a script that sets it to another one. */
export interface PaymentPage {
  place: string;
  /** Inside the form, before its button. */
  inside?: string;
  /** Beside the form. */
  outside?: string;
  /** The attributes of the form, and its button. */
  form?: string;
  button?: string;
  /** The body of `set(amount)`; `find` is `document.querySelector`. */
  set: string;
}

const svg = (text: string): string =>
  `data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="120" height="30"><text y="20" font-size="18">' + ${text} + '</text></svg>') + '`;
const custom = (shadow: string): string => `<script>
  customElements.define('pay-sum', class extends HTMLElement {
    static formAssociated = true;
    internals = this.attachInternals();
    tree = this.attachShadow({ mode: '${shadow}' });
    connectedCallback() { this.show('10'); }
    show(amount) { this.tree.innerHTML = '<b>' + amount + ' EUR</b>'; this.sum = amount; }
    send(amount) { this.internals.setFormValue(amount); }
  });</script>`;
const text = (id: string): string => `find('${id}').textContent = amount`;

/** Every place in which an amount can stand, as far as pages are known to us. */
export const PAYMENT_PAGES: readonly PaymentPage[] = [
  { place: 'a text of the form', inside: '<p>You pay <b>10</b> EUR</p>', set: text('b') },
  { place: 'a number without a currency', inside: '<p>Total <b>10</b></p>', set: text('b') },
  { place: 'a sum beside the form', outside: '<h2>Total <b>10</b> EUR</h2>', set: text('h2 b') },
  { place: 'a number beside the form', outside: '<h2>Points to spend: <b>10</b></h2>', set: text('h2 b') },
  {
    place: 'a hidden field',
    inside: '<input type=hidden name=amount value=10>',
    set: `find('[name=amount]').value = amount`,
  },
  {
    place: 'a hidden field that is called a token',
    inside: '<input type=hidden name=csrf_token value="amount-10-EUR-0123456789abcdef">',
    set: `find('[name=csrf_token]').value = 'amount-' + amount + '-EUR-0123456789abcdef'`,
  },
  {
    place: 'a hidden field that is called a nonce, of letters and digits',
    inside: '<input type=hidden name=nonce value="00000000000010a1b2c3d4e5f6">',
    set: `find('[name=nonce]').value = amount.padStart(14, '0') + 'a1b2c3d4e5f6'`,
  },
  {
    place: 'a frame in the form',
    inside: '<iframe srcdoc="<p>You pay <b>10</b> EUR</p>"></iframe>',
    set: `find('iframe').contentDocument.querySelector('b').textContent = amount`,
  },
  {
    place: 'a frame of another site in the form',
    inside: '<iframe src="OTHER/framed-sum"></iframe>',
    set: `find('iframe').contentWindow.postMessage(amount, '*')`,
  },
  {
    place: 'a frame beside the form',
    outside: '<iframe srcdoc="<p>To be paid: <b>10</b></p>"></iframe>',
    set: `find('iframe').contentDocument.querySelector('b').textContent = amount`,
  },
  {
    place: 'a frame in a frame',
    inside: `<iframe srcdoc="<iframe srcdoc='<b>10</b> EUR'></iframe>"></iframe>`,
    set: `find('iframe').contentDocument.querySelector('iframe').contentDocument.querySelector('b').textContent = amount`,
  },
  {
    place: 'an open shadow tree',
    inside: `<div id=host></div><script>find('#host').attachShadow({ mode: 'open' }).innerHTML = '<b>10</b> EUR'</script>`,
    set: `find('#host').shadowRoot.querySelector('b').textContent = amount`,
  },
  {
    place: 'a closed shadow tree',
    inside: `<div id=host></div><script>const root = find('#host').attachShadow({ mode: 'closed' }); root.innerHTML = '<b>10</b> EUR'</script>`,
    set: `root.querySelector('b').textContent = amount`,
  },
  {
    place: 'a closed shadow tree in a closed one',
    inside: `<div id=host></div><script>
      const outer = find('#host').attachShadow({ mode: 'closed' }); outer.innerHTML = '<section></section>';
      const root = outer.firstChild.attachShadow({ mode: 'closed' }); root.innerHTML = '<b>10</b>'</script>`,
    set: `root.querySelector('b').textContent = amount`,
  },
  {
    place: 'a slot',
    inside: `<div id=host><b>10</b></div><script>find('#host').attachShadow({ mode: 'closed' }).innerHTML = 'Sum <slot></slot> EUR'</script>`,
    set: text('b'),
  },
  {
    place: 'generated content',
    inside: `<style id=own>#sum::before { content: '10 EUR' }</style><p id=sum></p>`,
    set: `find('#own').textContent = '#sum::before { content: "' + amount + ' EUR" }'`,
  },
  {
    place: 'a counter of a style sheet',
    inside: `<style>#sum::after { counter-reset: sum var(--sum); content: counter(sum) }</style><p id=sum style="--sum: 10">Sum </p>`,
    set: `find('#sum').style.setProperty('--sum', Math.floor(amount))`,
  },
  {
    place: 'generated content from an attribute',
    outside: `<style>#sum::after { content: attr(data-sum) }</style><p id=sum data-sum=10>Sum </p>`,
    set: `find('#sum').dataset.sum = amount`,
  },
  {
    place: 'a canvas',
    inside: `<canvas width=150 height=40></canvas><script>
      globalThis.draw = (amount) => { const pen = find('canvas').getContext('2d'); pen.clearRect(0, 0, 150, 40);
        pen.font = '16px sans-serif'; pen.fillText(amount + ' EUR', 5, 25); }; draw('10')</script>`,
    set: `draw(amount)`,
  },
  {
    place: 'a canvas with the focus',
    inside: `<canvas width=150 height=40 tabindex=0></canvas><script>
      globalThis.draw = (amount) => { const pen = find('canvas').getContext('2d'); pen.clearRect(0, 0, 150, 40);
        pen.font = '16px sans-serif'; pen.fillText(amount + ' EUR', 15, 25); }; draw('10')</script>`,
    set: `draw(amount)`,
  },
  {
    place: 'the text of a picture',
    inside: '<img alt="10 EUR" width=90 height=20>',
    set: `find('img').alt = amount + ' EUR'`,
  },
  {
    place: 'the text of a picture beside the form',
    outside: '<img alt="Sum: 10" src="data:,">',
    set: `find('img').alt = 'Sum: ' + amount`,
  },
  {
    place: 'a picture',
    inside: `<img id=picture width=120 height=30><script>globalThis.draw = (amount) => (find('#picture').src = '${svg('amount')}'); draw('10')</script>`,
    set: `draw(amount)`,
  },
  {
    place: 'a background',
    inside: `<p id=picture style="width: 120px; height: 30px"></p><script>
      globalThis.draw = (amount) => (find('#picture').style.backgroundImage = 'url("${svg('amount')}")'); draw('10')</script>`,
    set: `draw(amount)`,
  },
  { place: 'a drawing', inside: '<svg width=120 height=30><text y=20>10</text></svg>', set: text('svg text') },
  { place: 'a hint', inside: '<p title="10 EUR">Your order</p>', set: `find('p[title]').title = amount + ' EUR'` },
  {
    place: 'the name that a reader says',
    inside: '<p aria-label="10 EUR">Your order</p>',
    set: `find('p[aria-label]').setAttribute('aria-label', amount + ' EUR')`,
  },
  {
    place: 'a field that can not be edited, beside the form',
    outside: '<input id=sum readonly value="10">',
    set: `find('#sum').value = amount`,
  },
  {
    place: 'a disabled field in the form',
    inside: '<input id=sum disabled value="10 EUR">',
    set: `find('#sum').value = amount + ' EUR'`,
  },
  { place: 'an output beside the form', outside: '<output id=sum>10</output>', set: text('#sum') },
  {
    place: 'a field of the form that stands elsewhere',
    outside: '<input name=sum form=pay value=10>',
    set: `find('[name=sum]').value = amount`,
  },
  {
    place: 'a hidden field of the form that stands elsewhere',
    outside: '<input type=hidden name=sum form=pay value=10>',
    set: `find('[name=sum]').value = amount`,
  },
  { place: 'a timer', inside: '<p role=timer>10 EUR</p>', set: `find('[role=timer]').textContent = amount + ' EUR'` },
  { place: 'a timer with a number alone', inside: '<p>Sum <b role=timer>10</b></p>', set: text('b') },
  { place: 'a timer beside the form', outside: '<p>Sum <b role=timer>10</b></p>', set: text('b') },
  {
    place: 'what a custom element sends',
    inside: `<pay-sum name=sum></pay-sum>${custom('open')}<script>find('pay-sum').send('10')</script>`,
    set: `find('pay-sum').send(amount)`,
  },
  {
    place: 'what a custom element shows',
    inside: `<pay-sum name=sum></pay-sum>${custom('closed')}`,
    set: `find('pay-sum').show(amount)`,
  },
  {
    place: 'what a listener adds when the form is sent',
    inside: `<script>let added = '10'; document.addEventListener('formdata', ({ formData }) => formData.set('fee', added))</script>`,
    set: `added = amount`,
  },
  {
    place: 'the choice of a list',
    inside: '<select name=sum><option>10</select>',
    set: `find('select').innerHTML = '<option>' + amount`,
  },
  {
    place: 'the value behind a choice',
    inside: '<select name=sum><option value=10>The usual</select>',
    set: `find('option').value = amount`,
  },
  {
    place: 'a radio button',
    inside: '<input type=radio name=sum value=10 checked>',
    set: `find('[type=radio]').value = amount`,
  },
  {
    place: 'an area of text',
    inside: '<textarea name=note>pay 10</textarea>',
    set: `find('textarea').value = 'pay ' + amount`,
  },
  {
    place: 'a placeholder',
    inside: '<input name=sum placeholder="10 EUR">',
    set: `find('[name=sum]').placeholder = amount + ' EUR'`,
  },
  { place: 'an editable text', inside: '<p contenteditable>10</p>', set: text('[contenteditable]') },
  { place: 'the address of the form', form: 'action="/pay?sum=10"', set: `find('form').action = '/pay?sum=' + amount` },
  {
    place: 'the address of the button',
    button: '<button formaction="/pay/10">Pay</button>',
    set: `find('button').formAction = '/pay/' + amount`,
  },
  {
    place: 'the value of the button',
    button: '<button name=sum value=10>Pay</button>',
    set: `find('button').value = amount`,
  },
  {
    place: 'digits of another font',
    inside: `<p style="font: 16px sans-serif">Sum: <b id=sum></b></p><script>
      globalThis.draw = (amount) => (find('#sum').innerHTML = [...amount].map((digit) => '&#' + (0xff10 + Number(digit)) + ';').join('')); draw('10')</script>`,
    set: `draw(String(Math.floor(amount)))`,
  },
];

/** Several of the places on one page as HTML; `sets[index](amount)` changes the amount at one of them. */
export function paymentPage(pages: readonly PaymentPage[], other: string): string {
  const own = pages.map((page, index) => ({
    ...page,
    ...(JSON.parse(scoped(JSON.stringify(page), index)) as PaymentPage),
  }));
  const placed = (which: 'inside' | 'outside'): string =>
    own.map((page, index) => `<div class="place${index}">${withFind(page[which] ?? '', index)}</div>`).join('');
  const form = own.find((page) => page.form !== undefined)?.form ?? 'action="/pay"';
  const button = own.find((page) => page.button !== undefined)?.button ?? '<button>Pay</button>';
  return `<!doctype html><title>Shop</title>
    <script>globalThis.finder = (index) => (selector) => [...document.querySelectorAll('.place' + index)]
      .map((place) => place.querySelector(selector)).find((each) => each) ?? document.querySelector(selector);</script>
    <h1>Shop</h1>${placed('outside')}
    <form id=pay method=post ${form}>${placed('inside')}<label>For <input name=purpose value=beans></label>${button}</form>
    <script>globalThis.sets = [${own.map(({ set }, index) => `(amount) => { const find = finder(${index}); ${set} }`).join(', ')}];</script>`.replaceAll(
    'OTHER',
    other,
  );
}

/** Gives a place names of its own, so that it can stand beside others. */
function scoped(html: string, index: number): string {
  return html
    .replaceAll(/(#|id=)(sum|host|picture|own)\b/g, `$1$2${index}`)
    .replaceAll('pay-sum', `pay-sum${index}`)
    .replaceAll(/\b(draw|root|outer|added)\b/g, `$1${index}`);
}

function withFind(html: string, index: number): string {
  return html.replaceAll('find(', `finder(${index})(`);
}

/** The page of another site that shows the amount in a frame. */
export const FRAMED_SUM = `<!doctype html><p>You pay <b>10</b> EUR</p>
  <script>onmessage = ({ data }) => { document.querySelector('b').textContent = data; };</script>`;
