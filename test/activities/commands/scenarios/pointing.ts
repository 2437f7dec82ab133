import type { Scenario } from './scenario';

/** A map without refs: each event with the place. */
const MAP = `<style>body{margin:0}#map{width:400px;height:300px;background:#eee}</style><div id=map></div><p id=log></p><script>
  for (const kind of ['mousedown', 'click', 'dblclick', 'contextmenu', 'mouseup', 'wheel'])
    map.addEventListener(kind, (event) => { event.preventDefault(); log.textContent += kind + event.button + '@' + event.clientX + ',' + event.clientY + ' '; });
</script>`;
const LOG = 'document.querySelector("#log").textContent';

export const pointing: Scenario[] = [
  {
    title: 'a place of the view is clicked',
    html: MAP,
    async run({ use, value }) {
      await use('computer', { action: 'left_click', coordinate: [50, 60] });
      expect(await value(LOG)).toBe('mousedown0@50,60 mouseup0@50,60 click0@50,60 ');
    },
  },
  {
    title: 'a place is clicked with the right button',
    html: MAP,
    async run({ use, value }) {
      await use('computer', { action: 'right_click', coordinate: [50, 60] });
      expect(await value(LOG)).toContain('contextmenu2@50,60');
    },
  },
  {
    title: 'a place is double-clicked',
    html: MAP,
    async run({ use, value }) {
      await use('computer', { action: 'double_click', coordinate: [50, 60] });
      expect(await value(LOG)).toContain('dblclick0@50,60');
    },
  },
  {
    title: 'what is dragged is pressed at its beginning and released at its end',
    html: MAP,
    async run({ use, value }) {
      await use('computer', { action: 'left_click_drag', start_coordinate: [10, 20], coordinate: [200, 100] });
      expect(await value(LOG)).toMatch(/^mousedown0@10,20 .*mouseup0@200,100/);
    },
  },
  {
    title: 'the wheel turns where the pointer is',
    html: MAP,
    async run({ use, value }) {
      await use('computer', { action: 'scroll', coordinate: [50, 60], scroll_amount: 2 });
      expect(await value(LOG)).toContain('wheel');
    },
  },
  {
    title: 'a click without ref and place is refused',
    html: MAP,
    async run({ use }) {
      expect(await use('computer', { action: 'left_click' })).toBe('left_click needs a ref or a coordinate.');
    },
  },
  {
    title: 'what shows while the pointer is over an element is shown',
    html: '<style>#tip{display:none} button:hover + #tip{display:block}</style><button>Help</button><p id=tip>It is easy</p>',
    async run({ ref, use, read }) {
      await use('computer', { action: 'hover', ref: await ref('Help') });
      expect(await read()).toContain('It is easy');
    },
  },
  {
    title: 'an element is dragged onto another one',
    html: `<div role=button aria-label="Card" draggable=true style="width:80px;height:40px;background:#cde" ondragstart="event.dataTransfer.setData('text', 'card')">Card</div>
      <div role=button aria-label="Bin" style="width:120px;height:80px;background:#eee" ondragover="event.preventDefault()" ondrop="document.title = 'dropped ' + event.dataTransfer.getData('text')">Bin</div>`,
    async run({ read, use, page }) {
      const shown = await read();
      const [card, bin] = ['Card', 'Bin'].map((name) => new RegExp(`"${name}" \\[ref=(\\w+)\\]`).exec(shown)![1]);
      await use('gesture', { action: 'drag', ref: card, to_ref: bin });
      expect(await page().title()).toBe('dropped card');
    },
  },
  {
    title: 'a drag without an end is refused',
    html: '<button>Card</button>',
    async run({ ref, use }) {
      expect(await use('gesture', { action: 'drag', ref: await ref('Card') })).toBe('drag needs either to_ref or by.');
    },
  },
  {
    title: 'a key is pressed where the focus is',
    html: '<button autofocus onkeydown="document.title = event.key">Focus</button>',
    async run({ click, use, page }) {
      await click('Focus');
      await use('computer', { action: 'key', text: 'ArrowDown' });
      expect(await page().title()).toBe('ArrowDown');
    },
  },
  {
    title: 'keys held together replace what a field has',
    html: '<label>Name <input value="Old"></label>',
    async run({ click, use, value }) {
      await click('Name');
      await use('computer', { action: 'key', text: 'Control+A' });
      await use('computer', { action: 'type', text: 'New' });
      expect(await value('document.querySelector("input").value')).toBe('New');
    },
  },
  {
    title: 'Tab moves the focus to the next field',
    html: '<label>One <input id=one></label><label>Two <input id=two></label>',
    async run({ click, use, value }) {
      await click('One');
      await use('computer', { action: 'key', text: 'Tab' });
      expect(await value('document.activeElement.id')).toBe('two');
    },
  },
  {
    title: 'Escape closes a dialog of the page',
    html: '<dialog aria-label="Offer"><button>Take it</button></dialog><script>document.querySelector("dialog").showModal()</script>',
    async run({ read, use, value }) {
      expect(await read()).toContain('Offer');
      await use('computer', { action: 'key', text: 'Escape' });
      expect(await value('document.querySelector("dialog").open')).toBe(false);
    },
  },
  {
    title: 'a key that no keyboard has is an error that names it',
    html: '<button>Focus</button>',
    async run({ use }) {
      expect(await use('computer', { action: 'key', text: 'Turbo' })).toMatch(/Turbo/);
    },
  },
  {
    title: 'an element is scrolled into the view',
    html: '<div style="height:5000px">Tall</div><button>Bottom</button>',
    async run({ ref, use, value }) {
      await use('computer', { action: 'scroll_to', ref: await ref('Bottom') });
      expect(await value<number>('document.querySelector("button").getBoundingClientRect().bottom')).toBeLessThan(900);
    },
  },
];
