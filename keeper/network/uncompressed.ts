import type { Socket } from 'node:net';

/** A longer head is forwarded unchanged. */
const MAX_HEAD_BYTES = 16 * 1024;
const END_OF_HEAD = '\r\n\r\n';
/** RFC 6455, 11.3.2; the only extension of Chrome is permessage-deflate (RFC 7692). */
const EXTENSIONS = /\r\nsec-websocket-extensions:[^\r]*/gi;

/**
 * Forwards what the client sends, without its offer to compress messages. Playwright makes that offer and Chrome
 * accepts it: both would compress every page and screenshot for a connection that stays on this machine.
 */
export function forwardUncompressed(client: Socket, chrome: Socket): void {
  let head = Buffer.alloc(0);
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(END_OF_HEAD);
    if (end === -1 && head.length < MAX_HEAD_BYTES) return;
    client.off('data', read);
    if (end !== -1) chrome.write(head.toString('latin1', 0, end).replace(EXTENSIONS, ''), 'latin1');
    chrome.write(end === -1 ? head : head.subarray(end));
    client.pipe(chrome);
  };
  client.on('data', read);
}
