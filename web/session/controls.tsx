import { useRef, useState, type FormEvent } from 'react';
import { useAct } from '../connection/act';
import { client } from '../connection/client';
import type { Details } from '../connection/details';
import { Problem } from '../elements/problem';

/** Pause, resume, cancel, and more steps. */
export function Controls({ details: { session, waitingFor, approvals } }: { details: Details }) {
  const { sessionId, status } = session;
  const { act, isOff, error } = useAct(sessionId);
  const dialog = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState('');
  // While it asks something, the answer is what lets it go on.
  const isPaused = status === 'PAUSED' && waitingFor === null && approvals.length === 0;
  function add(event: FormEvent): void {
    event.preventDefault();
    act(() => client.addSteps(sessionId, { steps: [step] }), { onSuccess: () => setStep('') });
  }
  return (
    <div className="controls">
      {isPaused ? (
        <button className="primary" disabled={isOff} onClick={() => act(() => client.resumeSession(sessionId))}>
          Resume
        </button>
      ) : (
        <button disabled={isOff || status !== 'ACTIVE'} onClick={() => act(() => client.pauseSession(sessionId))}>
          Pause
        </button>
      )}
      <button className="danger" disabled={isOff} onClick={() => dialog.current?.showModal()}>
        Cancel…
      </button>
      <form className="together" onSubmit={add}>
        <input
          aria-label="A further step"
          placeholder='A further step, such as: Click "Sign out"'
          required
          value={step}
          onChange={(event) => setStep(event.target.value)}
        />
        <button disabled={isOff}>Add step</button>
      </form>
      <Problem error={error} />
      <dialog ref={dialog} aria-labelledby="cancel-title">
        <h2 id="cancel-title">Cancel this session?</h2>
        <p>Its browser is closed. What it has done and saved stays; it can not be resumed.</p>
        <form method="dialog" className="together">
          <button className="danger" onClick={() => act(() => client.cancelSession(sessionId))}>
            Cancel the session
          </button>
          <button>Go on</button>
        </form>
      </dialog>
    </div>
  );
}
