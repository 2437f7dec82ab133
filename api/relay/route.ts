import { RELAY_PATH } from '../../contracts/relay/protocol';
import { declareAccess } from '../http/access';
import type { ApiApp, RelayGateway } from '../http/context';
import { HttpError, requestError } from '../http/error-response';

/** Adds the socket of browsers that are somebody else's. A browser shows its session token in its first message. */
export function addRelay(app: ApiApp, relay: Pick<RelayGateway, 'connect'>): void {
  app.get(RELAY_PATH, declareAccess['browser-token'], (c) => {
    const { upgrade } = c.env ?? {};
    if (upgrade === undefined) {
      const message = `${RELAY_PATH} is a WebSocket. Expected the headers Connection: Upgrade and Upgrade: websocket, got an ordinary request.`;
      throw new HttpError(requestError(426, message, { headers: { Upgrade: 'websocket' } }));
    }
    upgrade.connect = relay.connect;
    return c.body(null, 200);
  });
}
