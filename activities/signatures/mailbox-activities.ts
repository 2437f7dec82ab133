/** Activities of the engine workers that read mail. */
export interface MailboxActivities {
  /** Looks for the answer of a question in the mailbox of its secret, until it is there. */
  lookInMailbox(input: LookInMailboxInput): Promise<LookInMailboxOutput>;
}

export interface LookInMailboxInput {
  sessionId: string;
  alias: string;
  questionId: string;
  /** ISO-8601. */
  askedAt: string;
  /** Kinds of trouble that the session has reported. */
  reported: readonly string[];
}

/** Without trouble, the question is answered, by the mailbox or somebody else. */
export interface LookInMailboxOutput {
  trouble?: { kind: string; message: string; isFinal: boolean };
}
