import { useState, type FormEvent } from 'react';
import { useAct } from '../connection/act';
import { client } from '../connection/client';
import { Problem } from '../elements/problem';

/** A conversation that waits for the next message of its user. */
export function MessageCard({ sessionId }: { sessionId: string }) {
  const { act, isOff, error } = useAct(sessionId);
  const [text, setText] = useState('');
  function send(event: FormEvent): void {
    event.preventDefault();
    act(() => client.addSteps(sessionId, { steps: [{ task: text }] }), { onSuccess: () => setText('') });
  }
  return (
    <section className="card question" aria-label="The conversation waits for a message" tabIndex={-1}>
      <h2>The conversation waits for your message</h2>
      <Problem error={error} />
      <form className="together answers" onSubmit={send}>
        <input aria-label="Message" required value={text} onChange={(event) => setText(event.target.value)} />
        <button className="primary" disabled={isOff}>
          Send
        </button>
        <button type="button" disabled={isOff} onClick={() => act(() => client.closeSession(sessionId))}>
          Close the conversation
        </button>
      </form>
    </section>
  );
}

/** The database was put back to an earlier time: a person looks, and resumes. */
export function LookCard({ sessionId, message }: { sessionId: string; message: string }) {
  const { act, isOff, error } = useAct(sessionId);
  return (
    <section className="card question" aria-label="The session needs a look" tabIndex={-1}>
      <h2>The database was put back to an earlier time</h2>
      <p>{message}</p>
      <Problem error={error} />
      <div className="together answers">
        <button className="primary" disabled={isOff} onClick={() => act(() => client.resumeSession(sessionId))}>
          I have looked: go on
        </button>
      </div>
    </section>
  );
}
