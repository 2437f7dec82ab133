import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { client } from '../connection/client';

/** Says what became of an approval that this view has shown, whoever has answered it. */
export function AnsweredApproval({ approvalId }: { approvalId: string }) {
  const { data: approval } = useQuery({
    queryKey: ['approval', approvalId],
    queryFn: () => client.showApproval(approvalId),
    // It may be read before the answer is in the store.
    refetchInterval: ({ state }) => (isPending(state.data) ? 1000 : false),
  });
  if (approval?.kind !== 'approval' || isPending(approval)) return null;
  const { card, status, by, reason } = approval;
  return (
    <AnsweredNote>
      <strong>{card.title}</strong> {status}
      {by !== undefined && ` by ${by}`}
      {reason !== undefined && reason !== '' && `: ${reason}`}
    </AnsweredNote>
  );
}

function isPending(approval: Awaited<ReturnType<typeof client.showApproval>> | undefined): boolean {
  return approval?.kind === 'approval' && approval.status === 'pending';
}

/** Stands where a question was. It takes the focus that went with the question's button, so that a keyboard goes on here. */
export function AnsweredNote({ children }: { children: ReactNode }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) note.current?.focus();
  }, []);
  return (
    <p ref={note} className="answered" role="status" tabIndex={-1}>
      {children}
    </p>
  );
}
