import { useRef, useState, type FormEvent } from 'react';
import { useAct } from '../connection/act';
import { client } from '../connection/client';
import type { Details } from '../connection/details';
import { Problem } from '../elements/problem';
import { Fork } from './fork';

/** Pause, resume, cancel, fork, and more to do: steps, or the next message of a conversation. */
export function Controls({ details }: { details: Details }) {
  const { session, request, waitingFor, approvals } = details;
  const { sessionId, status } = session;
  const isConversation = request.config.agent.stayOpen === true;
  const { act, isOff, error } = useAct(sessionId);
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  // While it asks something, the answer is what lets it go on.
  const isPaused = status === 'PAUSED' && waitingFor === null && approvals.length === 0;
  function add(event: FormEvent): void {
    event.preventDefault();
    const step = isConversation ? { task: text } : text;
    act(() => client.addSteps(sessionId, { steps: [step] }), { onSuccess: () => setText('') });
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
      <Fork details={details} />
      {/* A conversation that waits for a message has a card of its own for it. */}
      {waitingFor?.pausedFor !== 'message' && (
        <form className="together" onSubmit={add}>
          <input
            aria-label={isConversation ? 'A message' : 'A further step'}
            placeholder={isConversation ? 'A message to the conversation' : 'A further step, such as: Click "Sign out"'}
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <button disabled={isOff}>{isConversation ? 'Send' : 'Add step'}</button>
        </form>
      )}
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
