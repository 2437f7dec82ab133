import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { proposalsIn } from '../../contracts/models/reading';
import { client } from '../connection/client';
import { isOver, type Details } from '../connection/details';
import { useSignIn } from '../connection/sign-in';
import { useFrozen } from '../elements/frozen';
import { Problem } from '../elements/problem';

/** What a refused step may have meant: one press goes on from it in a new session with these words. */
export function Proposals({ details }: { details: Details }) {
  const { session, error, progress, request } = details;
  const proposals = proposalsIn(error?.details);
  const [, go] = useLocation();
  const mayAct = useSignIn()?.state === 'signed-in';
  const isFrozen = useFrozen() !== undefined;
  const at = progress.currentStepIndex;
  const {
    mutate,
    isPending,
    error: problem,
  } = useMutation({
    mutationFn: (proposal: string) => {
      const refused = request.steps[at];
      const step =
        typeof refused === 'object' && 'instruction' in refused ? { ...refused, instruction: proposal } : proposal;
      return client.forkSession(session.sessionId, { fromStep: at + 1, steps: [step, ...request.steps.slice(at + 1)] });
    },
    onSuccess: ({ sessionId }) => go(`/sessions/${sessionId}`),
  });
  if (proposals === undefined || isFrozen || !isOver(details)) return null;
  return (
    <>
      <p>Did you mean:</p>
      <ul className="proposals">
        {proposals.map((proposal) => (
          <li key={proposal}>
            <button disabled={isPending || !mayAct} onClick={() => mutate(proposal)}>
              Go on with: {proposal}
            </button>
          </li>
        ))}
      </ul>
      <Problem error={problem} />
    </>
  );
}
