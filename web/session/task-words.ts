import { useEffect, useRef, useState } from 'react';
import type { FrameOf } from '../../contracts/events/formats/formats';
import { followFrames } from '../../client/http/event-client';
import { isOver, type Details } from '../connection/details';

/** Words that come at once are shown at once. */
const GATHER_MS = 100;

/**
 * What the model of the task under way is thinking and writing, which the stream of the timeline has only once it is complete.
 * Nothing depends on it: without a connection there are no words.
 */
export function useTaskWords(details: Details): string {
  const { session, progress, request, lastSeq } = details;
  const { sessionId } = session;
  const step = request.steps[progress.currentStepIndex];
  const isTask = !isOver(details) && typeof step === 'object' && 'task' in step;
  const newest = useRef(lastSeq);
  newest.current = lastSeq;
  const [words, setWords] = useState('');
  useEffect(() => {
    if (!isTask) return;
    const leave = new AbortController();
    let [text, timer]: [string, number | undefined] = ['', undefined];
    const show = (): void => {
      timer = undefined;
      setWords(text);
    };
    const follow = async (): Promise<void> => {
      const place = { api: window.location.origin, signal: leave.signal, after: newest.current };
      for await (const { frame } of followFrames(sessionId, 'agent', place)) {
        text = wordsAfter(text, frame);
        timer ??= window.setTimeout(show, GATHER_MS);
      }
    };
    void follow().catch(() => {});
    return () => {
      leave.abort();
      window.clearTimeout(timer);
      setWords('');
    };
  }, [sessionId, isTask]);
  return words;
}

interface Delta {
  content?: { text_delta?: string; thinking_delta?: string };
}

/** The words of a reply until it is complete: the timeline has it then. */
function wordsAfter(text: string, { type, data }: FrameOf<'agent'>): string {
  const { content } = (data ?? {}) as Delta;
  if (type === 'response.chunk.text.delta') return text + (content?.text_delta ?? '');
  if (type === 'response.chunk.thinking.delta') return text + (content?.thinking_delta ?? '');
  return '';
}
