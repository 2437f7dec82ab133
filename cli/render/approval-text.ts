import type { Approval, ConfirmationCard, PendingQuestion } from '../../contracts/approvals/approval';
import { describeRemembered, revokeCommand } from '../../contracts/approvals/remembered-approval';
import { describeView } from '../../contracts/browsers/approval-view';
import { lineAsCalled } from '../terminal/as-called';

/** Renders one pending question and the command that answers it. */
export function questionLines(question: PendingQuestion): string[] {
  if (question.kind === 'unknown-outcome') {
    const { sessionId, message, answerWith } = question;
    return [`Session ${sessionId}: ${message}`, `Look for it, then: ${lineAsCalled(answerWith.cli)}`];
  }
  if (question.kind === 'secret')
    return [`Session ${question.sessionId}: ${question.message}`, lineAsCalled(question.answerWith.cli)];
  return [
    ...approvalLines(question),
    ...(question.answerWith === undefined
      ? [outcomeLine(question), ...standingLines(question)]
      : [lineAsCalled(question.answerWith.cli)]),
  ];
}

/** Renders what a person decides on. */
export function approvalLines(approval: Approval): string[] {
  const {
    sessionId,
    toolName,
    classification,
    args,
    card,
    pageUrl,
    task,
    view,
    screenshotId,
    changes = [],
    expiresAt,
  } = approval;
  return [
    `Session ${sessionId}: ${card.title} (${classification})`,
    // The text of the other cards says all of it.
    ...(card.type === 'info' ? [] : [...changes, ...(view === undefined ? [] : describeView(view))]),
    ...cardLines(card),
    ...(card.type === 'info' || task === undefined ? [] : [`Task: ${task}`]),
    `${toolName} ${JSON.stringify(args)}`,
    ...(pageUrl === undefined ? [] : [`on ${pageUrl}`]),
    ...(screenshotId === undefined ? [] : [`picture: /v1/sessions/${sessionId}/screenshots/${screenshotId}`]),
    ...(expiresAt === undefined ? [] : [`expires at ${expiresAt}`]),
  ];
}

/** How a question was answered, by whom, and for what. */
function outcomeLine({ status, outcome, by, reason, decidedAt, editedArgs }: Approval): string {
  const edited = editedArgs === undefined ? '' : ` with ${JSON.stringify(editedArgs)}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${status}${outcome === undefined ? '' : ` (${outcome})`}${by === undefined ? '' : ` by ${by}`}${decidedAt === undefined ? '' : ` at ${decidedAt}`}${edited}${why}`;
}

/** What a yes covers for good, and how that ends or has ended. */
function standingLines({ approvalId, remembered, revokedAt, revokedBy }: Approval): string[] {
  if (remembered === undefined) return [];
  const covers = `good for ${describeRemembered(remembered)}`;
  if (revokedAt === undefined) return [covers, lineAsCalled(revokeCommand(approvalId))];
  return [`${covers}, until ${revokedBy ?? 'a person'} has revoked it at ${revokedAt}`];
}

function cardLines(card: ConfirmationCard): string[] {
  switch (card.type) {
    case 'edit':
      return [card.fileName, card.fileDiff];
    case 'exec':
      return [card.command];
    case 'mcp':
      return [`server ${card.serverName}, tool ${card.toolDisplayName}`];
    case 'info':
      return [card.prompt, ...(card.urls ?? [])];
  }
}
