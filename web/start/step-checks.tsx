import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { StepCheck } from '../../contracts/steps/step-check';
import { client } from '../connection/client';
import { Problem } from '../elements/problem';

/** Nobody wants an answer to half a word. */
const QUIET_MS = 400;

const STATUS: Record<StepCheck['status'], { mark: string; tone: string; text: string }> = {
  ready: { mark: '✓', tone: 'good', text: 'understood' },
  model: { mark: '›', tone: 'quiet', text: 'a model decides when it runs' },
  refused: { mark: '✗', tone: 'bad', text: 'not understood' },
  'not-here': { mark: '✗', tone: 'bad', text: 'not on the page' },
};

/** What the rules understand of each step before anything starts; nothing is run. */
export function StepChecks({ request, isValid }: { request: StartRequest; isValid: boolean }) {
  const asked = useQuiet(request);
  const { data, error } = useQuery({
    queryKey: ['check', JSON.stringify(asked)],
    queryFn: () => client.checkSteps(asked),
    enabled: isValid && asked.steps.length > 0,
    placeholderData: (before) => before,
  });
  if (!isValid || data === undefined) return <Problem error={error} />;
  return (
    <section aria-label="What is understood" aria-live="polite">
      <h2>What is understood</h2>
      <ol className="checks">
        {data.steps.map(({ stepIndex, instruction, status, parts, message }) => {
          const { mark, tone, text } = STATUS[status];
          return (
            <li key={stepIndex} className={tone}>
              <span aria-hidden="true">{mark}</span> <span className="check-step">{instruction}</span>
              <span className="quiet">: {message ?? text}</span>
              {parts.length > 1 && (
                <ul>
                  {parts.map((part, index) => (
                    <li key={index}>{part}</li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The value once it has not changed for a moment. */
function useQuiet<T>(value: T): T {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setQuiet(value), QUIET_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return quiet;
}
