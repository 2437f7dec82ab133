import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import type { ForkRequest } from '../../contracts/sessions/fork-request';
import { client } from '../connection/client';
import { isOver, type Details } from '../connection/details';
import { useSignIn } from '../connection/sign-in';
import { Field } from '../elements/field';
import { GivenRows, givenOf, type Given } from '../elements/given';
import { Problem } from '../elements/problem';

/** Starts a session from a step of this one, or the whole again once this one has ended. */
export function Fork({ details }: { details: Details }) {
  const { progress, request } = details;
  const dialog = useRef<HTMLDialogElement>(null);
  // Of the form that is open; each opening has a new one.
  const [opened, setOpened] = useState({ fromStep: 1, count: 0 });
  const open = (fromStep: number): void => {
    setOpened(({ count }) => ({ fromStep, count: count + 1 }));
    dialog.current?.showModal();
  };
  const current = Math.min(progress.currentStepIndex + 1, request.steps.length);
  return (
    <>
      {isOver(details) && <button onClick={() => open(1)}>Start again…</button>}
      {isOver(details) && current > 1 && <button onClick={() => open(current)}>Fork at step {current}…</button>}
      {!isOver(details) && <button onClick={() => open(current)}>Fork…</button>}
      <dialog ref={dialog} className="wide" aria-labelledby="fork-title">
        <h2 id="fork-title">A new session from a step of this one</h2>
        {opened.count > 0 && (
          <ForkForm
            key={opened.count}
            details={details}
            first={opened.fromStep}
            onClose={() => dialog.current?.close()}
          />
        )}
      </dialog>
    </>
  );
}

interface ForkFormProps {
  details: Details;
  first: number;
  onClose: () => void;
}

function ForkForm({ details: { session, request }, first, onClose }: ForkFormProps) {
  const texts = (session.metadata?.['steps'] ?? []) as string[];
  const [, go] = useLocation();
  const mayAct = useSignIn()?.state === 'signed-in';
  const [fromStep, setFromStep] = useState(first);
  const [given, setGiven] = useState<Given>({ variables: [], secrets: [] });
  const [changed, setChanged] = useState<string>();
  const rest = request.steps.slice(fromStep - 1);
  // A step with options of its own is no line of text.
  const lines = rest.every((step) => typeof step === 'string') ? rest.join('\n') : undefined;
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fork: ForkRequest) => client.forkSession(session.sessionId, fork),
    onSuccess: ({ sessionId }) => {
      onClose();
      go(`/sessions/${sessionId}`);
    },
  });
  function send(event: FormEvent): void {
    event.preventDefault();
    const steps = changed?.split('\n').filter((line) => line.trim() !== '');
    mutate({ fromStep, ...(steps === undefined ? {} : { steps }), ...givenOf(given) });
  }
  return (
    <form className="fork" onSubmit={send}>
      <Field label="It begins with">
        {(id) => (
          <select
            id={id}
            value={fromStep}
            onChange={(event) => {
              setFromStep(Number(event.target.value));
              setChanged(undefined);
            }}
          >
            {texts.map((text, index) => (
              <option key={index} value={index + 1}>
                {index + 1}. {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <p className="hint">
        {fromStep === 1
          ? 'Everything is done anew, in a new browser.'
          : 'Its browser is as that of this session was before the step. What the steps before have done is not done again.'}
      </p>
      {lines !== undefined && (
        <Field label="Steps from there on, one a line">
          {(id) => (
            <textarea
              id={id}
              rows={Math.min(8, rest.length + 1)}
              required
              value={changed ?? lines}
              onChange={(event) => setChanged(event.target.value)}
            />
          )}
        </Field>
      )}
      <details>
        <summary>Variables that differ, and secrets, which are given again</summary>
        <GivenRows given={given} onChange={(change) => setGiven((before) => ({ ...before, ...change }))} />
      </details>
      <Problem error={error} />
      <div className="together">
        <button className="primary" disabled={isPending || !mayAct}>
          Start it
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}
