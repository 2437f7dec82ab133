import { useQuery } from '@tanstack/react-query';
import { errorText } from '../elements/problem';
import { client } from './client';
import { SignInForm, useSignIn } from './sign-in';

/** Says while the API, its database or Temporal do not answer; it goes away by itself. */
export function OutageNotice() {
  const { error } = useQuery({ queryKey: ['health'], queryFn: () => client.health(), refetchInterval: 5000 });
  if (error === null) return null;
  return (
    <div className="notice outage" role="status">
      <strong>Connection trouble.</strong> {errorText(error)} What you see may be old.
    </div>
  );
}

/** Says why nothing can be done from here, and how it can. */
export function MayOnlyLookNotice({ problem }: { problem: string | undefined }) {
  const signIn = useSignIn();
  if (signIn?.state !== 'may-look') return null;
  return (
    <details className="notice" open={problem !== undefined}>
      <summary>
        <strong>You can look, but not act.</strong> Sign in to start sessions and to answer.
      </summary>
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {signIn.signsInWith === undefined ? (
        <p>This API has neither SUREFOOT_API_TOKEN nor SUREFOOT_PAGE_KEY. Set one of them and start it again.</p>
      ) : (
        <SignInForm signsInWith={signIn.signsInWith} />
      )}
    </details>
  );
}
