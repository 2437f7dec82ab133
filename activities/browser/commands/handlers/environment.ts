import type { environmentCommands } from '../../../../contracts/commands/definitions/environment';
import { webOriginOf } from '../../../../contracts/browsers/origins';
import { EngineError } from '../../../activity/failures';
import { grantPermissions, setGeolocation, setHttpCredentials } from '../environment';
import type { CommandHandlers } from './command-handler';

export const environmentHandlers: CommandHandlers<typeof environmentCommands> = {
  async SET_VIEWPORT({ attachment, parameters }) {
    await attachment.setViewport(parameters);
  },

  async SET_GEOLOCATION({ attachment, parameters }) {
    await setGeolocation(attachment, parameters);
  },

  async SET_HTTP_CREDENTIALS({ attachment, parameters, secrets }) {
    await setHttpCredentials(attachment, parameters, secrets);
  },

  async SET_PERMISSIONS({ attachment, page, parameters: { permissions } }) {
    const origin = webOriginOf(page.url());
    if (origin === undefined)
      throw new EngineError('SM002', `Permissions belong to a site, and ${page.url()} is none: open its page first.`);
    await grantPermissions(attachment, origin, permissions);
  },
};
