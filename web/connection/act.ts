import { useMutation } from '@tanstack/react-query';
import { useRefresh } from './details';
import { useSignIn } from './sign-in';

/** Sends something to a session. Only one thing at a time, and nothing where this page may only look. */
export function useAct(sessionId: string) {
  const refresh = useRefresh();
  const mayAct = useSignIn()?.state === 'signed-in';
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    // Also where it was refused: somebody else may have been quicker.
    onSettled: () => refresh(sessionId),
  });
  return { act: mutate, isOff: isPending || !mayAct, isPending, isSuccess, error };
}
