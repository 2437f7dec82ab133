import { endpointOf } from '../../contracts/browsers/origins';
import { isOwnAddress } from './addresses';

/** Where the engine itself listens: no session reaches it, whatever it was given. */
export interface EngineEndpoints {
  has(address: string, port: number): boolean;
}

interface EngineEndpointsOptions {
  /** Addresses of services, as `host:port` or as URLs. */
  services: () => readonly (string | undefined)[];
  /** The ports on which processes of this host listen now. */
  ports: () => readonly number[];
}

export function engineEndpoints({ services, ports }: EngineEndpointsOptions): EngineEndpoints {
  return {
    has(address, port) {
      const isOwn = isOwnAddress(address);
      if (isOwn && ports().includes(port)) return true;
      return services().some((service) => {
        const endpoint = service === undefined ? undefined : endpointOf(`http://${service.replace(/^\w+:\/\//, '')}`);
        if (endpoint?.port !== port) return false;
        const host = endpoint.host.replace(/^\[|\]$/g, '');
        return host === address || (isOwn && (host === 'localhost' || isOwnAddress(host)));
      });
    },
  };
}
