import type { ConfirmationCard, PendingQuestion } from '../../contracts/approvals/approval';

/** Renders one pending question and the command that answers it. */
export function questionLines(question: PendingQuestion): string[] {
  if (question.kind === 'unknown-outcome') {
    const { sessionId, message, answerWith } = question;
    return [`Session ${sessionId}: ${message}`, `Look for it, then: ${answerWith.cli}`];
  }
  const { sessionId, toolName, classification, args, card, pageUrl, expiresAt, answerWith } = question;
  return [
    `Session ${sessionId}: ${card.title} (${classification})`,
    ...cardLines(card),
    `${toolName} ${JSON.stringify(args)}`,
    ...(pageUrl === undefined ? [] : [`on ${pageUrl}`]),
    ...(expiresAt === undefined ? [] : [`expires at ${expiresAt}`]),
    answerWith.cli,
  ];
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
