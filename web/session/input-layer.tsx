import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import type { LiveFrame } from '../../contracts/browsers/live-frame';
import type { PersonAct } from '../../contracts/browsers/takeover';

/** Keys that say nothing without another one. */
const MODIFIERS = new Set([
  'Control',
  'Alt',
  'Meta',
  'Shift',
  'AltGraph',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
]);
/** Characters that are typed quickly go as one text, wheel turns as one. */
const TOGETHER_MS = 120;

/** Takes mouse, wheel, keyboard, input methods and pasted text over the picture of a page, and says what the person does. */
export function InputLayer({ frame, act }: { frame: LiveFrame; act: (act: PersonAct) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const later = useRef<{ text: string; wheel?: Extract<PersonAct, { kind: 'wheel' }> | undefined; timer?: number }>({
    text: '',
  });

  function flush(): void {
    const { text, wheel, timer } = later.current;
    window.clearTimeout(timer);
    later.current = { text: '' };
    if (wheel !== undefined) act(wheel);
    if (text !== '') act({ kind: 'text', text });
  }
  function soon(): void {
    window.clearTimeout(later.current.timer);
    later.current.timer = window.setTimeout(flush, TOGETHER_MS);
  }
  function pointOf({ clientX, clientY }: { clientX: number; clientY: number }) {
    const { left, top, width, height } = field.current!.getBoundingClientRect();
    const scale = (at: number, size: number, most: number) => Math.min(most, Math.max(0, (at / size) * most));
    return {
      x: Math.round(scale(clientX - left, width, frame.width)),
      y: Math.round(scale(clientY - top, height, frame.height)),
    };
  }
  function click(event: MouseEvent, button: 'left' | 'right' | 'middle'): void {
    event.preventDefault();
    flush();
    act({ kind: 'click', ...pointOf(event), button, clicks: Math.min(3, Math.max(1, event.detail)) });
  }
  function takeText(): void {
    const { value } = field.current!;
    field.current!.value = '';
    later.current.text += value;
    soon();
  }
  function press(event: KeyboardEvent): void {
    const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
    if (event.nativeEvent.isComposing || MODIFIERS.has(key)) return;
    const isChord = ctrlKey || altKey || metaKey;
    // A character comes as text, and pasting too.
    if (key.length === 1 && (!isChord || key.toLowerCase() === 'v')) return;
    // The way out for who has no mouse.
    if (key === 'Tab' && shiftKey) return;
    event.preventDefault();
    flush();
    const held = [ctrlKey && 'Control', altKey && 'Alt', metaKey && 'Meta', shiftKey && 'Shift'].filter((each) => each);
    act({ kind: 'key', key: [...held, key.length === 1 ? key.toUpperCase() : key].join('+') });
  }
  function roll(event: globalThis.MouseEvent | MouseEvent, deltaX: number, deltaY: number): void {
    const { byX = 0, byY = 0 } = later.current.wheel ?? {};
    later.current.wheel = { kind: 'wheel', ...pointOf(event), byX: byX + deltaX, byY: byY + deltaY };
    soon();
  }
  const turn = useRef<(event: WheelEvent) => void>(() => {});
  turn.current = (event) => {
    event.preventDefault();
    roll(event, event.deltaX, event.deltaY);
  };
  /** Fingers that move turn the wheel; a tap comes as a click. */
  const touched = useRef<{ clientX: number; clientY: number }>(undefined);
  function touch(event: PointerEvent): void {
    if (event.pointerType !== 'touch' || !event.isPrimary) return;
    const { clientX, clientY } = event;
    const scale = frame.width / field.current!.getBoundingClientRect().width;
    if (event.type === 'pointermove' && touched.current !== undefined)
      roll(event, (touched.current.clientX - clientX) * scale, (touched.current.clientY - clientY) * scale);
    touched.current = { clientX, clientY };
  }
  useEffect(() => {
    const layer = field.current!;
    // React's own listener could not keep the page of the viewer from scrolling.
    const onWheel = (event: WheelEvent): void => turn.current(event);
    layer.addEventListener('wheel', onWheel, { passive: false });
    layer.focus();
    return () => layer.removeEventListener('wheel', onWheel);
  }, []);
  return (
    <textarea
      ref={field}
      className="input-layer"
      aria-label="The session's page: what you click and type here goes to it; Shift and Tab lead out"
      autoComplete="off"
      spellCheck={false}
      onClick={(event) => click(event, 'left')}
      onContextMenu={(event) => click(event, 'right')}
      onPointerDown={touch}
      onPointerMove={touch}
      onKeyDown={press}
      onInput={(event) => !(event.nativeEvent as InputEvent).isComposing && takeText()}
      onCompositionEnd={takeText}
    />
  );
}
