import { useState } from 'react';
import type { Details } from '../connection/details';
import { isOver } from '../connection/details';
import { durationText } from '../elements/age';
import { useFrozen } from '../elements/frozen';
import { CommandMore, Unfolded } from './command-more';
import type { Log } from './events';
import { Moment } from './film';
import { OF_SESSION, type Line } from './lines';
import { useTaskWords } from './task-words';
import { readableWords } from './writing';
import { Screenshot } from '../connection/screenshot';

const MARK = { good: '✓', bad: '✗', warning: '!', quiet: '·', plain: '›', strong: '›' };
/** More of one step are left out of the page until they are asked for. */
const MOST_LINES = 300;

type StepState = 'done' | 'failed' | 'current' | 'ahead';

/** The steps with what happened in each, as it happens. */
export function Timeline({ details, log }: { details: Details; log: Log }) {
  const [isDetailed, setDetailed] = useState(false);
  const { lines, writing } = log.shown;
  const taskWords = useTaskWords(details);
  const { session, progress, stepResults } = details;
  const steps = (session.metadata?.['steps'] ?? []) as string[];
  const stateOf = (index: number): StepState => {
    const result = stepResults.find(({ stepIndex }) => stepIndex === index);
    if (result !== undefined) return result.success ? 'done' : 'failed';
    return index === progress.currentStepIndex && !isOver(details) ? 'current' : 'ahead';
  };
  const ofSession = lines.get(OF_SESSION) ?? [];
  const { sessionId } = session;
  const isFrozen = useFrozen() !== undefined;
  return (
    <section className="card timeline" aria-label="What happens">
      <div className="together">
        <h2>What happens</h2>
        {!isFrozen && (
          <label className="detailed">
            <input type="checkbox" checked={isDetailed} onChange={(event) => setDetailed(event.target.checked)} /> Every
            detail
          </label>
        )}
      </div>
      <ol>
        {steps.map((text, index) => (
          <Step
            key={index}
            sessionId={sessionId}
            text={text}
            state={stateOf(index)}
            ms={stepResults.find(({ stepIndex }) => stepIndex === index)?.duration}
            last={stepResults.find(({ stepIndex }) => stepIndex === index)?.finalPageState}
            lines={(lines.get(index) ?? []).filter((line) => isDetailed || !line.isDetail)}
            writes={
              writing?.stepIndex === index
                ? readableWords(writing.text)
                : index === progress.currentStepIndex
                  ? taskWords
                  : ''
            }
          />
        ))}
      </ol>
      {ofSession.length > 0 && <h3>The session as a whole</h3>}
      <Lines sessionId={sessionId} lines={ofSession.filter((line) => isDetailed || !line.isDetail)} />
    </section>
  );
}

const STATE_TEXT: Record<StepState, string> = {
  done: 'done',
  failed: 'failed',
  current: 'under way',
  ahead: 'not begun',
};

interface StepProps {
  sessionId: string;
  text: string;
  state: StepState;
  ms: number | undefined;
  /** The page at its end. */
  last: { screenshotId: string; url: string } | undefined;
  lines: Line[];
  /** What a model is writing. */
  writes: string;
}

function Step({ sessionId, text, state, ms, last, lines, writes }: StepProps) {
  // The step under way and one that failed are open until the reader decides otherwise.
  const [chosen, setChosen] = useState<boolean>();
  const frozen = useFrozen();
  const isOpen = chosen ?? (frozen !== undefined || state === 'current' || state === 'failed');
  return (
    <li className={`step ${state}`} aria-current={state === 'current' ? 'step' : undefined}>
      <details open={isOpen}>
        <summary
          onClick={(event) => {
            event.preventDefault();
            setChosen(!isOpen);
          }}
        >
          <span className="step-text">{text}</span>
          <span className="unseen">, {STATE_TEXT[state]}</span>
          <span className="quiet">{ms === undefined ? '' : durationText(ms)}</span>
        </summary>
        {isOpen && <Lines sessionId={sessionId} lines={lines} />}
        {isOpen && frozen === undefined && writes !== '' && (
          <p className="writing quiet">
            <span className="unseen">The model is writing: </span>
            {writes}
          </p>
        )}
        {frozen !== undefined && last !== undefined && !isOfCommand(frozen, last.screenshotId) && (
          <div className="more">
            <Screenshot
              sessionId={sessionId}
              id={last.screenshotId}
              alt={`The page at the end of the step, ${last.url}`}
            />
          </div>
        )}
      </details>
    </li>
  );
}

/** True for a picture that stands beside its command already. */
function isOfCommand({ commands }: { commands: Record<string, { screenshotId?: string }> }, id: string): boolean {
  return Object.values(commands).some(({ screenshotId }) => screenshotId === id);
}

function Lines({ sessionId, lines }: { sessionId: string; lines: readonly Line[] }) {
  const frozen = useFrozen();
  const [isWhole, setWhole] = useState(frozen !== undefined);
  const shown = isWhole ? lines : lines.slice(-MOST_LINES);
  return (
    <>
      {shown.length < lines.length && (
        <button onClick={() => setWhole(true)}>Show {lines.length - shown.length} earlier lines</button>
      )}
      <ul className="lines">
        {shown.map(({ key, seq, at, tone, text, aside, commandId }) => (
          <li key={key}>
            <div className={`line ${tone}`} title={at.toISOString()}>
              <span aria-hidden="true">{MARK[tone]}</span>
              <span className="line-text">{text}</span>
              <span className="quiet">{typeof aside === 'number' ? `${(aside / 1000).toFixed(1)} s` : aside}</span>
            </div>
            <Unfolded name="Result" text={frozen?.results[seq]} />
            {commandId !== undefined && (
              <>
                <Moment endedAt={at} />
                <CommandMore sessionId={sessionId} commandId={commandId} />
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
