import { useMutation } from '@tanstack/react-query';
import { useMemo, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { client } from '../connection/client';
import { useSignIn } from '../connection/sign-in';
import { useTitle } from '../connection/waiting';
import { Field } from '../elements/field';
import { GivenRows } from '../elements/given';
import { Problem } from '../elements/problem';
import { Choice } from './choice';
import { EMPTY, issuesOf, requestOf, type Draft } from './draft';
import { Files } from './files';
import { StepChecks } from './step-checks';

const PLACEHOLDER = {
  steps:
    'Open https://shop.example/login\nType "ada" into Username and type "${password}" into Password\nClick "Sign in"',
  task: 'Find the cheapest tent and return its name and price',
};

/** Starts a session. What is typed is checked by the API's own schema at once. */
export function Start() {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [, go] = useLocation();
  const mayAct = useSignIn()?.state === 'signed-in';
  useTitle('Start a session');
  const request = useMemo(() => requestOf(draft), [draft]);
  const issues = useMemo(() => issuesOf(request), [request]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.startSession(request),
    onSuccess: ({ sessionId }) => go(`/sessions/${sessionId}`),
  });
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));
  function send(event: FormEvent): void {
    event.preventDefault();
    mutate();
  }
  const isEmpty = draft.text.trim() === '';
  return (
    <form className="start" onSubmit={send}>
      <h1>Start a session</h1>
      <Choice onChoose={setDraft} />
      <Field label="Name">
        {(id) => (
          <input
            id={id}
            value={draft.name}
            placeholder="What lists call it; the first step if it is empty"
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="choices" role="group" aria-label="What to do">
        <button type="button" aria-pressed={draft.kind === 'steps'} onClick={() => set({ kind: 'steps' })}>
          Steps, one a line
        </button>
        <button type="button" aria-pressed={draft.kind === 'task'} onClick={() => set({ kind: 'task' })}>
          A task
        </button>
      </div>
      <Field label={draft.kind === 'steps' ? 'Steps' : 'Task'}>
        {(id) => (
          <textarea
            id={id}
            rows={6}
            value={draft.text}
            placeholder={PLACEHOLDER[draft.kind]}
            onChange={(event) => set({ text: event.target.value })}
          />
        )}
      </Field>
      {mayAct && <StepChecks request={request} isValid={!isEmpty && issues.length === 0} />}
      <GivenRows given={draft} onChange={set} />
      <Files onUse={(step) => set({ kind: 'steps', text: `${draft.text}${draft.text === '' ? '' : '\n'}${step}` })} />
      <div className="together">
        <Field label="Model">
          {(id) => (
            <input
              id={id}
              value={draft.model}
              placeholder="rules"
              onChange={(event) => set({ model: event.target.value })}
            />
          )}
        </Field>
        <Field label="A person is asked">
          {(id) => (
            <select
              id={id}
              value={draft.approvalMode}
              onChange={(event) => set({ approvalMode: event.target.value as Draft['approvalMode'] })}
            >
              <option value="default">before calls that pay, send or delete</option>
              <option value="always">before every call</option>
              <option value="yolo">never</option>
            </select>
          )}
        </Field>
      </div>
      <div aria-live="polite">
        {!isEmpty && issues.length > 0 && (
          <ul className="issues bad">
            {issues.map(({ path, message }) => (
              <li key={path + message}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Problem error={error} />
      <div>
        <button className="primary" disabled={isEmpty || issues.length > 0 || isPending || !mayAct}>
          Start
        </button>
      </div>
      <details>
        <summary>The same request for the API</summary>
        <pre>{JSON.stringify(request, null, 2)}</pre>
      </details>
    </form>
  );
}
