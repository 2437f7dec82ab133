import { isFileId } from '../../../contracts/files/file';
import type { VerbGroup } from '../verb-group';
import type { Gesture, Intent } from '../intent';
import { parseDescription } from '../description';
import { unquote, type Spans } from '../protected-text';

const GESTURES: readonly [RegExp, Gesture][] = [
  [/^double[\s-]?(?:click|tap)(?:\s+on)?\s+(.+)$/i, 'double'],
  [/^(?:right[\s-]?click(?:\s+on)?|open the context menu (?:of|for|on))\s+(.+)$/i, 'right'],
  [/^(?:hover|mouse)(?:\s+the\s+(?:mouse|pointer|cursor))?(?:\s+(?:over|on))?\s+(.+)$/i, 'hover'],
  [/^(?:move|point)\s+the\s+(?:mouse|pointer|cursor)\s+(?:over|to|onto|on|at)\s+(.+)$/i, 'hover'],
  [/^focus(?:\s+(?:on|in|into))?\s+(.+)$/i, 'focus'],
  [/^(?:put|set|place|move)\s+the\s+(?:focus|cursor)\s+(?:in|into|on|to)\s+(.+)$/i, 'focus'],
];
const HOLD =
  /^(?:press\s+and\s+hold|click\s+and\s+hold|long[\s-]?press|hold(?:\s+down)?)(?:\s+on)?\s+(.+?)(?:\s+for\s+(\d+(?:\.\d+)?)\s+seconds?)?$/i;
const DRAG = /^drag(?:\s+and\s+drop)?\s+(.+?)\s+(?:and\s+drop\s+it\s+)?(?:onto|on\s+to|into|to|on|over)\s+(.+)$/i;
const DRAG_BY =
  /^(?:drag|move)\s+(.+?)\s+(?:by\s+)?(\d+)\s*(?:px|pixels?)\s+(?:to\s+the\s+)?(left|right|up|down)(?:wards?)?$/i;
const UPLOAD = /^(?:upload|attach)\s+(?:the\s+)?(?:files?\s+)?(.+?)(?:\s+(?:to|into|in|at|using|with|as)\s+(.+))?$/i;
const FILE_NAME = /^[\w][\w .-]*\.[a-z0-9]{1,8}$/i;

/** Parses "double click X", "right-click X", "hover over X", "focus X", "press and hold X" and "drag X to Y". */
export const gesture: VerbGroup = {
  starts:
    /^(?:double[\s-]?(?:click|tap)|right[\s-]?click|hover|mouse over|focus|press and hold|click and hold|long[\s-]?press|hold|drag|open the context menu)\s+\S|^(?:move|point|put|set|place)\s+the\s+(?:mouse|pointer|cursor|focus)\s|^move\s.*\s(?:px|pixels?)\s/i,
  parse(text, spans) {
    for (const [form, gesture] of GESTURES) {
      const what = form.exec(text)?.[1];
      if (what !== undefined) return { kind: 'point', gesture, target: parseDescription(what, spans) };
    }
    const [, held, seconds] = HOLD.exec(text) ?? [];
    if (held !== undefined) {
      const target = parseDescription(held, spans);
      return { kind: 'point', gesture: 'hold', target, ...(seconds !== undefined && { seconds: Number(seconds) }) };
    }
    return dragged(text, spans);
  },
};

function dragged(text: string, spans: Spans): Intent | undefined {
  const [, moved, pixels = '', way = ''] = DRAG_BY.exec(text) ?? [];
  if (moved !== undefined) {
    const by = /^(?:left|up)$/i.test(way) ? -Number(pixels) : Number(pixels);
    const offset = /^(?:left|right)$/i.test(way) ? { byX: by } : { byY: by };
    return { kind: 'drag', target: parseDescription(moved, spans), ...offset };
  }
  const [, what, where] = DRAG.exec(text) ?? [];
  if (what === undefined || where === undefined) return undefined;
  return { kind: 'drag', target: parseDescription(what, spans), onto: parseDescription(where, spans) };
}

const DROP =
  /^(?:drag(?:\s+and\s+drop)?|drop)\s+(?:the\s+)?(?:files?\s+)?(.+?)\s+(?:and\s+drop\s+(?:it|them)\s+)?(?:onto|on\s+to|into|to|on|over|in)\s+(.+)$/i;

/** Parses "drop x.png onto X": what is dragged there is a file. */
export const drop: VerbGroup = {
  starts: /^(?:drag|drop)\s.*(?:\.[a-z0-9]{1,8}\b|file_|[\uE000-\uEFFF])/i,
  parse(text, spans) {
    const [, named, where] = DROP.exec(text) ?? [];
    const files = filesIn(named, spans);
    return files === undefined || where === undefined
      ? undefined
      : { kind: 'drop-files', files, target: parseDescription(where, spans) };
  },
};

function filesIn(named: string | undefined, spans: Spans): string[] | undefined {
  const files = (named ?? '').split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).map((name) => unquote(name, spans));
  return files.every((file) => FILE_NAME.test(file) || isFileId(file)) ? files : undefined;
}

/** Parses "upload x.png to X". */
export const upload: VerbGroup = {
  starts: /^(?:upload|attach)\s+\S/i,
  parse(text, spans) {
    const [, named, where] = UPLOAD.exec(text) ?? [];
    const files = filesIn(named, spans);
    if (files === undefined) return undefined;
    return { kind: 'upload', files, ...(where !== undefined && { target: parseDescription(where, spans) }) };
  },
};
