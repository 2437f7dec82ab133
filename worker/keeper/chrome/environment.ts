/** What a browser needs of an environment: where programs, screens, fonts and languages are. */
const NEEDED =
  /^(?:PATH|HOME|USER|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|LD_LIBRARY_PATH|FONTCONFIG_\w+|MALLOC_\w+|CHROME_\w+)$/;
/** Of a person's own folders, which another user can't enter. */
const OF_OWN_FOLDERS = /^(?:HOME|USER|TMPDIR|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS)$/;

/**
 * The environment of a Chrome: nothing of the engine's (keys, passwords, addresses), which a page that breaks out of its
 * process would read there. A Chrome that runs as another user gets a home.
 */
export function chromeEnvironment(home?: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => NEEDED.test(name) && (home === undefined || !OF_OWN_FOLDERS.test(name)),
  );
  return { ...Object.fromEntries(kept), ...(home === undefined ? {} : { HOME: home }) };
}
