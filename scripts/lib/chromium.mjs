/** The browser of the tests: the system's Chromium, installed by root, asked for otherwise. */
import { aptInstall } from './apt.mjs'
import { isRoot, Sentence, which } from './run.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const find = () => process.env.POSTIL_TEST_CHROMIUM ?? NAMES.map(which).find((path) => path !== null) ?? null

/**
 * @returns {Promise<string>} the path of the browser
 */
export const chromium = async () => {
  if (!find() && isRoot() && which('apt-get')) await aptInstall(['chromium'])
  const found = find()
  if (!found)
    throw new Sentence(
      'The tests need Chromium: install it (on Debian: apt-get install chromium) or name it with POSTIL_TEST_CHROMIUM.',
    )
  return found
}
