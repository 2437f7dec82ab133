/** A page that notes whatever is changed, sent or called in it. Its own objects have names of methods that read. */
export const TRAP_PAGE = `<!doctype html><title>Trap</title><h1>A heading</h1>
<form action="/pay" method="post"><input name="action" value="1"><input name="children" value="2"><input name="title"><button id="pay">Pay</button></form>
<form name="search" action="/find"><input type="password" id="pin" value="0000"></form>
<p id="note" class="a b" data-a="1" style="color: blue">note <a href="#x">one</a> <a href="#y" onclick="pay()">two</a></p>
<ul><li>first<li>second</ul><output></output><my-pay></my-pay><textarea>text</textarea>
<script>
  const noted = [];
  const note = (what) => void noted.push(String(what).slice(0, 80));
  globalThis.pay = () => note('pay');
  for (const [owner, names] of [
    [window, 'fetch open alert confirm prompt find stop close print focus blur scrollTo scrollBy postMessage setTimeout setInterval queueMicrotask requestAnimationFrame eval'],
    [navigator, 'sendBeacon'],
    [history, 'back forward go pushState replaceState'],
    [XMLHttpRequest.prototype, 'open send'],
    [HTMLFormElement.prototype, 'submit requestSubmit reset'],
    [HTMLElement.prototype, 'click focus blur'],
    [HTMLInputElement.prototype, 'select setRangeText stepUp'],
    [EventTarget.prototype, 'addEventListener dispatchEvent'],
    [Document.prototype, 'write writeln execCommand open close createElement createEvent'],
    [Storage.prototype, 'getItem setItem removeItem clear'],
    [Node.prototype, 'normalize appendChild removeChild'],
    [Element.prototype, 'scrollIntoView scrollTo requestFullscreen'],
    [CSSStyleDeclaration.prototype, 'setProperty removeProperty'],
  ])
    for (const name of names.split(' '))
      owner[name] = function () { note(name); };
  for (const [owner, names] of [
    [HTMLInputElement.prototype, 'value checked'],
    [Element.prototype, 'scrollTop scrollLeft'],
    [Document.prototype, 'cookie'],
  ])
    for (const name of names.split(' ')) {
      const { get, set } = Object.getOwnPropertyDescriptor(owner, name);
      Object.defineProperty(owner, name, {
        get() { if (name === 'cookie' || this.type === 'password') note('read ' + name); return get.call(this); },
        set() { note('set ' + name); },
      });
    }
  const trap = (home) =>
    new Proxy(home, {
      get(target, key) { if (typeof key === 'string') note('own ' + key); return Reflect.get(target, key); },
      set(_, key) { note('set ' + String(key)); return true; },
    });
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: trap({}) });
  for (const name of ['filter', 'test', 'reduce', 'item', 'map', 'closest', 'replace', 'forEach', 'flat', 'slice', 'match', 'trim', 'join', 'toJSON2'])
    globalThis[name] = () => note('page ' + name);
  customElements.define('my-pay', class extends HTMLElement {});
  const own = document.querySelector('my-pay');
  for (const name of ['map', 'filter', 'forEach', 'item', 'find', 'reduce', 'replace', 'replaceAll', 'trim', 'split', 'test', 'flat', 'slice', 'join', 'at', 'concat', 'some', 'submit', 'append', 'assign', 'sort', 'add', 'toggle', 'toUpperCase'])
    own[name] = () => (note('element ' + name), []);
  const observer = new MutationObserver((records) => records.forEach(({ type }) => note('changed ' + type)));
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  addEventListener('beforeunload', () => note('left'));
  document.addEventListener('submit', (event) => { event.preventDefault(); note('submitted'); }, true);
  for (const type of ['click', 'focusin', 'selectionchange', 'scroll', 'toggle']) document.addEventListener(type, () => note(type), true);
  globalThis.takeNoted = () => {
    for (const { type } of observer.takeRecords()) note('changed ' + type);
    return noted.splice(0);
  };
</script>`;
