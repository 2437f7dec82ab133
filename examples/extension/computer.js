// Mouse, keys and screenshots through Chrome's own input, which the page can't distinguish from the user's.
import { afterInput, callPage, command } from './tab.js';

const MAX_WAIT_S = 30;
const PIXELS_OF_A_TICK = 100;
const CLICKS = { left_click: 1, right_click: 1, double_click: 2, triple_click: 3 };
const WHEEL = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const MODIFIERS = { alt: 1, ctrl: 2, control: 2, meta: 4, cmd: 4, shift: 8 };
const KEYS = {
  enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  return: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  escape: { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 },
  backspace: { key: 'Backspace', code: 'Backspace', windowsVirtualKeyCode: 8 },
  delete: { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 },
  space: { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
  arrowup: { key: 'ArrowUp', code: 'ArrowUp', windowsVirtualKeyCode: 38 },
  arrowdown: { key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40 },
  arrowleft: { key: 'ArrowLeft', code: 'ArrowLeft', windowsVirtualKeyCode: 37 },
  arrowright: { key: 'ArrowRight', code: 'ArrowRight', windowsVirtualKeyCode: 39 },
};

const done = (output) => ({ success: true, output });
const failed = (error) => ({ success: false, error });

export async function computer(tabId, input) {
  const { action, text = '', duration = 1 } = input;
  if (action === 'screenshot') return await picture(tabId);
  if (action === 'zoom') {
    if (!Array.isArray(input.region)) return failed('This action needs region.');
    const [x, y, right, bottom] = input.region;
    return await picture(tabId, { x, y, width: right - x, height: bottom - y, scale: 1 });
  }
  if (action === 'wait') {
    const seconds = Math.min(MAX_WAIT_S, duration);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return done(`Waited ${seconds} s.`);
  }
  if (action === 'type') {
    await command(tabId, 'Input.insertText', { text });
    return done(`Typed ${text.length} characters.`);
  }
  if (action === 'key') return await press(tabId, text);
  return await pointed(tabId, input);
}

async function pointed(tabId, input) {
  const { action, ref, coordinate } = input;
  const located = ref === undefined ? undefined : await callPage(tabId, 'locate', { ref });
  if (located?.success === false) return located;
  const [x, y] = located === undefined ? (coordinate ?? []) : [located.output.x, located.output.y];
  const at = ref === undefined ? `(${x}, ${y})` : `element ${ref}`;
  const mouse = (type, more) => command(tabId, 'Input.dispatchMouseEvent', { type, x, y, ...more });
  if (action === 'scroll') {
    const [across, down] = WHEEL[input.scroll_direction ?? 'down'] ?? WHEEL.down;
    const pixels = (input.scroll_amount ?? 3) * PIXELS_OF_A_TICK;
    const place = { x: x ?? 100, y: y ?? 100 };
    await mouse('mouseWheel', { ...place, deltaX: across * pixels, deltaY: down * pixels });
    return done(`Scrolled ${input.scroll_direction ?? 'down'}.`);
  }
  if (x === undefined || y === undefined) return failed('This action needs ref or coordinate.');
  if (action === 'scroll_to') return done(`Brought ${at} into view.`);
  if (action === 'hover') {
    await mouse('mouseMoved');
    return done(`The pointer is over ${at}.`);
  }
  if (action === 'left_click_drag') {
    if (!Array.isArray(input.start_coordinate)) return failed('This action needs start_coordinate.');
    const [startX, startY] = input.start_coordinate;
    const held = { button: 'left', buttons: 1, clickCount: 1 };
    await mouse('mousePressed', { ...held, x: startX, y: startY });
    await mouse('mouseMoved', held);
    await mouse('mouseReleased', { ...held, buttons: 0 });
    return done(`Dragged to ${at}.`);
  }
  if (CLICKS[action] === undefined) return failed(`There is no action ${action}.`);
  const button = action === 'right_click' ? 'right' : 'left';
  await mouse('mouseMoved');
  for (let clickCount = 1; clickCount <= CLICKS[action]; clickCount += 1) {
    await mouse('mousePressed', { button, clickCount });
    await mouse('mouseReleased', { button, clickCount });
  }
  await afterInput(tabId);
  return done(`Did ${action} at ${at}.`);
}

async function press(tabId, strokes) {
  for (const stroke of strokes.split(' ').filter((each) => each !== '')) {
    const parts = stroke.split('+');
    const last = parts.pop() ?? '';
    const modifiers = parts.reduce((sum, part) => sum | (MODIFIERS[part.toLowerCase()] ?? 0), 0);
    const known = KEYS[last.toLowerCase()] ?? {
      key: last,
      windowsVirtualKeyCode: last.toUpperCase().charCodeAt(0),
      ...(modifiers === 0 && last.length === 1 ? { text: last } : {}),
    };
    const type = known.text === undefined ? 'rawKeyDown' : 'keyDown';
    await command(tabId, 'Input.dispatchKeyEvent', { type, modifiers, ...known });
    await command(tabId, 'Input.dispatchKeyEvent', { type: 'keyUp', modifiers, ...known });
  }
  await afterInput(tabId);
  return done(`Pressed ${strokes}.`);
}

async function picture(tabId, clip) {
  const { data } = await command(tabId, 'Page.captureScreenshot', { format: 'png', ...(clip ? { clip } : {}) });
  return { success: true, screenshot: { data, mediaType: 'image/png' } };
}
