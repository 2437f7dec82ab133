import { useState, type FormEvent } from 'react';
import type { AskedSecret } from '../../contracts/approvals/asked-secret';
import { useAct } from '../connection/act';
import { client } from '../connection/client';
import { Facts } from '../elements/facts';
import { Problem } from '../elements/problem';

/** The value of a secret that a person alone has: a code that was sent, or a link. */
export function SecretCard({ sessionId, secret }: { sessionId: string; secret: AskedSecret }) {
  const { act, isOff, error } = useAct(sessionId);
  const { questionId, alias, ask, as, origins, expiresAt } = secret;
  const [value, setValue] = useState('');
  const isLink = as === 'link';
  function send(event: FormEvent): void {
    event.preventDefault();
    act(() => client.answerSecret(sessionId, { questionId, value }), { onSuccess: () => setValue('') });
  }
  return (
    <section className="card question" aria-label={`Question: ${ask}`} tabIndex={-1}>
      <h2>{ask}</h2>
      <Facts
        of={[
          ['Secret', alias],
          [isLink ? 'Opened if it is of' : 'Typed at', origins.join(', ')],
          ['Until', new Date(expiresAt).toLocaleString()],
        ]}
      />
      <Problem error={error} />
      <form className="together answers" onSubmit={send} autoComplete="off">
        <input
          aria-label={isLink ? 'The address of the link' : 'The code'}
          type="password"
          autoComplete="one-time-code"
          required
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <button className="primary" disabled={isOff}>
          Answer
        </button>
      </form>
    </section>
  );
}
