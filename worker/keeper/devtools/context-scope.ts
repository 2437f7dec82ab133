/** Commands to the browser that act on its default context unless they name another. */
const OF_A_CONTEXT = new Set([
  'Browser.cancelDownload',
  'Browser.grantPermissions',
  'Browser.resetPermissions',
  'Browser.setDownloadBehavior',
  'Browser.setPermission',
  'Storage.clearCookies',
  'Storage.getCookies',
  'Storage.setCookies',
  'Target.createTarget',
]);
/** They would take the Chrome from all others. */
const OF_ALL = new Set(['Browser.close', 'Browser.crash']);

export interface TargetEvent {
  method: 'Target.attachedToTarget' | 'Target.detachedFromTarget';
  params: { sessionId: string; targetInfo?: { type: string; targetId: string; browserContextId?: string } };
}

export interface DownloadEvent {
  method: `${'Browser' | 'Page'}.download${'WillBegin' | 'Progress'}`;
  params: { guid: string; frameId?: string };
}

/**
 * What a client of a Chrome that several sessions share sees of it and does in it: one browser context, as if that were the
 * default one of a Chrome of its own. Chrome attaches a client that asks for all targets to those of other contexts too.
 */
export class ContextScope {
  /** Sessions of the browser itself, beside that of the client. */
  private readonly browserSessions = new Set<string>();
  /** Of its pages, which are the ids of their main frames. */
  private readonly pages = new Set<string>();
  private readonly downloads = new Set<string>();

  constructor(private readonly contextId: string) {}

  /** Whether a session that Chrome has just attached is to a target of another context, which its client does not see. */
  isForeign({ params: { sessionId, targetInfo } }: TargetEvent): boolean {
    if (targetInfo?.type === 'browser') this.browserSessions.add(sessionId);
    else if (targetInfo?.browserContextId !== this.contextId) return true;
    else this.pages.add(targetInfo.targetId);
    return false;
  }

  /** Chrome reports to whoever asks the downloads of all contexts; a page that has begun one has said so before. */
  seesDownload({ method, params: { guid, frameId } }: DownloadEvent): boolean {
    if (method.startsWith('Page.') || (frameId !== undefined && this.pages.has(frameId))) this.downloads.add(guid);
    return this.downloads.has(guid);
  }

  hasBrowserSession(session: string): boolean {
    return this.browserSessions.has(session);
  }

  /** The command as it is to reach the browser; a sentence where it may not. */
  toBrowser(message: Buffer): Buffer | string {
    const command = JSON.parse(message.toString()) as { method: string; params?: object };
    const { method, params } = command;
    if (OF_ALL.has(method)) return `${method} is not for a session that shares its Chrome.`;
    if (!OF_A_CONTEXT.has(method)) return message;
    const { id, sessionId, ...rest } = command as typeof command & { id: number; sessionId?: string };
    // Named by the client, it would be another context.
    const scoped = { ...rest, params: { ...params, browserContextId: this.contextId } };
    return Buffer.from(JSON.stringify({ id, ...scoped, sessionId }));
  }
}
