import type { LaunchOptions } from 'playwright';
import { z } from 'zod';
import { BrowserTypeSchema } from '../../../contracts/browsers/browser-type';

/** What a server process reads from its first line: which browser it launches, and the proxy that is its only way out. */
export const LaunchSchema = z.object({
  browserType: BrowserTypeSchema,
  executablePath: z.string(),
  channel: z.string().optional(),
  headless: z.boolean(),
  proxyPort: z.int().positive(),
  timeoutMs: z.int().positive(),
});
export type Launch = z.infer<typeof LaunchSchema>;

/** What it answers on one line: where its browser is reached and its process, or why there is none. */
export const LaunchedSchema = z.union([
  z.object({ endpoint: z.string(), pid: z.int().positive() }),
  z.object({ error: z.string(), isLate: z.boolean() }),
]);

/** All traffic goes to the proxy, also to this machine, and nothing is requested that no page asks for. */
export function launchOptions({
  channel,
  executablePath,
  headless,
  proxyPort,
  timeoutMs,
  browserType,
}: Launch): LaunchOptions {
  return {
    executablePath,
    ...(channel === undefined ? {} : { channel }),
    headless,
    timeout: timeoutMs,
    // Firefox has a preference for this machine.
    proxy: { server: `http://127.0.0.1:${proxyPort}`, ...(browserType === 'firefox' ? {} : { bypass: '<-loopback>' }) },
    ...(browserType === 'firefox' ? { firefoxUserPrefs: FIREFOX_PREFERENCES } : {}),
    ...(browserType === 'chromium' ? chromiumOptions() : {}),
  };
}

// cspell:ignore bfcache datareporting peerconnection sessionhistory
const FIREFOX_PREFERENCES = {
  'network.proxy.allow_hijacking_localhost': true,
  // The proxy resolves names, so a look-up can not leak data.
  'network.dns.disablePrefetch': true,
  'network.trr.mode': 5,
  'network.http.http3.enable': false,
  'network.http.speculative-parallel-limit': 0,
  'network.prefetch-next': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'media.peerconnection.enabled': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'app.normandy.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'extensions.update.enabled': false,
  // Playwright gets no event for a page that is restored from the cache: GO_BACK would time out.
  'browser.sessionhistory.max_total_viewers': 0,
  'fission.bfcacheInParent': false,
};

/** Only a Chromium that is driven over WebDriver BiDi is launched like this. */
function chromiumOptions(): LaunchOptions {
  return {
    chromiumSandbox: process.getuid?.() !== 0,
    args: CHROMIUM_FLAGS,
    // Its socket has a path of 108 characters at most.
    env: { ...process.env, TMPDIR: '/tmp' },
  };
}

const CHROMIUM_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-features=BackForwardCache,AsyncDns,DnsOverHttpsUpgrade,OptimizationHints,NetworkTimeServiceQuerying',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];
