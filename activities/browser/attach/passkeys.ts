import type { BrowserContext, CDPSession, Page } from 'playwright';
import type { Passkey } from '../../../store/browsers/checkpoints';

const OPTIONS = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** The part of Chrome's virtual authenticator that one tab has: Chrome gives each tab its own, and ends it with the connection. */
interface TabAuthenticator {
  session: CDPSession;
  authenticatorId: string;
  /** Ids of passkeys that are being replaced here: what Chrome reports of them is no news. */
  changing: Set<string>;
}

/** What an attachment knows of its browser. */
interface OpenTabs {
  context: BrowserContext;
  tabs: readonly Page[];
  cdp(page: Page): Promise<CDPSession>;
}

/** The passkeys of a session: what a site makes in one tab is there in all of them. The private keys are in here: never log it. */
export class Passkeys {
  private readonly known: Map<string, Passkey>;
  private readonly tabs = new Set<TabAuthenticator>();

  private constructor(
    private readonly browser: OpenTabs,
    kept: readonly Passkey[],
  ) {
    this.known = new Map(kept.map((passkey) => [passkey.credentialId, passkey]));
  }

  /** Has every tab of the browser, and those that open later, use these passkeys and make new ones. */
  static async open(browser: OpenTabs, kept: readonly Passkey[]): Promise<Passkeys> {
    const passkeys = new Passkeys(browser, kept);
    browser.context.on('page', (page) => void passkeys.addTab(page).catch(() => {}));
    await Promise.all(browser.tabs.map((page) => passkeys.addTab(page)));
    return passkeys;
  }

  list(): Passkey[] {
    return [...this.known.values()];
  }

  private async addTab(page: Page): Promise<void> {
    const session = await this.browser.cdp(page);
    await session.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options: OPTIONS });
    const tab: TabAuthenticator = { session, authenticatorId, changing: new Set() };
    const keep = ({ credential }: { credential: Passkey }): void => void this.keep(tab, credential);
    session.on('WebAuthn.credentialAdded', keep);
    // With its new count of uses, which sites compare.
    session.on('WebAuthn.credentialAsserted', keep);
    session.on('WebAuthn.credentialUpdated', keep);
    session.on('WebAuthn.credentialDeleted', ({ credentialId }) => void this.forget(tab, credentialId));
    page.once('close', () => this.tabs.delete(tab));
    for (const passkey of this.known.values()) await change(tab, passkey.credentialId, passkey);
    this.tabs.add(tab);
  }

  private async keep(from: TabAuthenticator, passkey: Passkey): Promise<void> {
    if (from.changing.has(passkey.credentialId)) return;
    this.known.set(passkey.credentialId, passkey);
    await this.changeOthers(from, passkey.credentialId, passkey);
  }

  private async forget(from: TabAuthenticator, credentialId: string): Promise<void> {
    if (from.changing.has(credentialId)) return;
    this.known.delete(credentialId);
    await this.changeOthers(from, credentialId, undefined);
  }

  /** A tab that is closing has no use for it. */
  private async changeOthers(from: TabAuthenticator, credentialId: string, to: Passkey | undefined): Promise<void> {
    const others = [...this.tabs].filter((tab) => tab !== from);
    await Promise.allSettled(others.map((tab) => change(tab, credentialId, to)));
  }
}

/** Replaces a passkey in one tab, or removes it. */
async function change(
  { session, authenticatorId, changing }: TabAuthenticator,
  credentialId: string,
  to: Passkey | undefined,
): Promise<void> {
  changing.add(credentialId);
  try {
    await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId }).catch(() => {});
    if (to !== undefined) await session.send('WebAuthn.addCredential', { authenticatorId, credential: to });
  } finally {
    changing.delete(credentialId);
  }
}
