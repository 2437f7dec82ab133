/** A commit timed out or lost its page, which does not say that nothing of it arrived. Its intent stays open. */
export class CommitUnansweredError extends Error {}
