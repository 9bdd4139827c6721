/**
 * Finds the browser for the tests, which is the system's Chromium. If it is missing, root installs it, and other users get an
 * error that says what to install.
 */
import { aptInstall } from './apt.mjs'
import { isRoot, UserError, which } from './run.mjs'

const SHELL = 'chromium-headless-shell'
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const find = (names) => process.env.POSTIL_TEST_CHROMIUM ?? names.map(which).find((path) => path !== null) ?? null

const install = async (name) => {
  if (isRoot() && which('apt-get')) await aptInstall([name])
}

/** The headless shell of Chromium. It uses the same engine as the full browser, but opens a page with about half the work. */
const shell = async () => {
  if (!find([SHELL])) await install(SHELL).catch(() => undefined)
  return find([SHELL])
}

/**
 * @param {{whole?: boolean}} [options] `whole`: the full browser, for measurements
 * @returns {Promise<string>} the path of the browser
 */
export const chromium = async ({ whole = false } = {}) => {
  const small = whole ? null : await shell()
  if (small) return small
  if (!find(BROWSERS)) await install('chromium')
  const found = find(BROWSERS)
  if (!found)
    throw new UserError(
      'The tests need Chromium. Install it (on Debian: apt-get install chromium-headless-shell), or set POSTIL_TEST_CHROMIUM to its path.',
    )
  return found
}
