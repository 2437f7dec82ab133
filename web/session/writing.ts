import type { StreamEvent } from '../../contracts/events/stream-event';

/** What a model is writing, until its reply is complete. */
export interface Writing {
  stepIndex: number | undefined;
  callId: string;
  text: string;
}

/** What a model writes after this event; the words of a call that was given up are gone. */
export function writingAfter(writing: Writing | undefined, event: StreamEvent): Writing | undefined {
  const { type, stepIndex, data } = event;
  const isEnd = /^(AI_REASONING|COMMAND_STARTED|(STEP|WORKFLOW)_(COMPLETED|FAILED|PAUSED))$/.test(type);
  if (type !== 'AI_RESPONSE_RECEIVED') return isEnd ? undefined : writing;
  const { callId, delta } = (data.details ?? {}) as { callId?: string; delta?: string };
  if (callId === undefined || delta === undefined) return undefined;
  const before = writing?.callId === callId ? writing.text : '';
  return { stepIndex, callId, text: before + delta };
}

/** The members of a reply that are for people, also while they are not complete. */
const WORDS = /"(?:analysis|rationale|expectedOutcome|message)"\s*:\s*"((?:[^"\\]|\\.)*)/g;

/** What can be read of a reply that is still being written: its words where it is JSON, or else all of it. */
export function readableWords(text: string): string {
  if (!/^\s*(```\w*\s*)?\{/.test(text)) return text.trim();
  const words = Array.from(text.matchAll(WORDS), ([, escaped = '']) => unescaped(escaped));
  return words.filter((each) => each !== '').join(' ');
}

function unescaped(text: string): string {
  // An escape at the end may not be complete yet.
  const whole = text.replace(/\\u[0-9a-f]{0,3}$/i, '');
  try {
    return JSON.parse(`"${whole}"`) as string;
  } catch {
    return whole;
  }
}
