import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { errorText } from '../elements/problem';
import { client } from './client';

export type SignIn = Awaited<ReturnType<typeof client.showSignIn>>;

/** What queries of the state of the sign-in are known by. */
export const SIGN_IN = ['sign-in'];

/** What this page may do; undefined until the API has said so. */
export function useSignIn(): SignIn | undefined {
  return useQuery({ queryKey: SIGN_IN, queryFn: () => client.showSignIn(), refetchInterval: 30_000 }).data;
}

/**
 * Signs in with the key that the local stack prints behind its address (`#sign-in=…`), which no server and no log gets to
 * see, and removes it from the address. Resolves to what went wrong.
 */
export async function signInByAddress(): Promise<string | undefined> {
  const key = /^#sign-in=(.+)$/.exec(window.location.hash)?.[1];
  if (key === undefined) return undefined;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return await client.signIn({ key: decodeURIComponent(key) }).then(
    () => undefined,
    (error: unknown) => errorText(error),
  );
}

const LABELS = {
  token: {
    label: 'Token of this API',
    hint: 'The value of SUREFOOT_API_TOKEN. Your browser keeps a cookie for 30 days, not the token.',
  },
  'page-key': {
    label: 'Key of this stack',
    hint: 'It stands behind the address that the start of the stack prints: /#sign-in=KEY',
  },
};

/** Asks for the token of the API, or for the key of the local stack. */
export function SignInForm({ signsInWith }: { signsInWith: keyof typeof LABELS }) {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const { label, hint } = LABELS[signsInWith];
  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key') as string;
    const failed = await client.signIn({ key: key.trim() }).then(
      () => undefined,
      (error: unknown) => errorText(error),
    );
    setProblem(failed);
    if (failed === undefined) await queries.invalidateQueries();
  }
  return (
    <form className="sign-in" onSubmit={(event) => void send(event)}>
      <label htmlFor="key">{label}</label>
      <div className="together">
        <input
          id="key"
          name="key"
          type="password"
          required
          autoComplete="current-password"
          aria-describedby="key-hint"
        />
        <button className="primary">Sign in</button>
      </div>
      <p id="key-hint" className="hint">
        {hint}
      </p>
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
