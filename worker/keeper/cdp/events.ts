import type { PausedRequest } from '../deeds/request-values';

/** The events of the Chrome DevTools Protocol that the keeper reads, with the members it reads of them. */
export interface CdpEvents {
  'Target.attachedToTarget': { sessionId: string; targetInfo: { targetId: string; type: string } };
  'Target.detachedFromTarget': { sessionId: string };
  /** The process that renders it has died: Chrome shows nothing in its place. */
  'Inspector.targetCrashed': Record<string, never>;
  'Page.frameStartedNavigating': FrameStartedNavigating;
  'Page.frameNavigated': { frame: { loaderId: string } };
  'Page.frameStoppedLoading': { frameId: string };
  'Page.javascriptDialogOpening': DialogOpening;
  'Page.javascriptDialogClosed': { result: boolean };
  'Network.requestWillBeSent': RequestWillBeSent;
  /** Its headers are written to a connection; without one to the proxy there is no such event. */
  'Network.requestWillBeSentExtraInfo': { requestId: string };
  'Network.responseReceived': { requestId: string; response: { status: number } };
  /** Also sent where the page may not read the response (CORS), which the server sent all the same. */
  'Network.responseReceivedExtraInfo': { requestId: string; statusCode: number };
  'Network.loadingFinished': { requestId: string };
  'Fetch.requestPaused': RequestPaused;
  'Network.webSocketCreated': WebSocketCreated;
  'Network.webSocketFrameSent': WebSocketFrameSent;
  'Network.webSocketClosed': { requestId: string };
  'Network.loadingFailed': { requestId: string; errorText: string };
}

export interface FrameStartedNavigating {
  frameId: string;
  loaderId: string;
  navigationType: string;
}

export interface DialogOpening {
  url: string;
  message: string;
  type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
}

export interface RequestPaused {
  requestId: string;
  request: PausedRequest;
  resourceType: string;
  frameId?: string;
  /** It follows the redirect of another one, so its server sends the browser there. */
  redirectedRequestId?: string;
}

export interface WebSocketCreated {
  requestId: string;
  url: string;
}

export interface WebSocketFrameSent {
  requestId: string;
  /** The payload of all but text (opcode 1) is in base64. */
  response: { opcode: number; payloadData: string };
}

export interface RequestWillBeSent {
  requestId: string;
  request: { method: string; url: string };
  type?: string;
  frameId?: string;
  /** The response to the previous request, when this one follows its redirect under the same id. */
  redirectResponse?: { status: number };
}
