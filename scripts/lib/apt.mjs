/** Installs Debian packages. Only root can do this; callers tell other users what to install. */
import { runOrThrow, which } from './run.mjs'

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
const apt = (...args) => runOrThrow('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { env })

let updated = false
let last = Promise.resolve()

/** Runs one call at a time, because apt locks its lists and doesn't wait for the lock. */
const enqueue = (work) => {
  const result = last.then(work)
  last = result.catch(() => undefined)
  return result
}

const update = async () => {
  if (updated) return
  await apt('update')
  updated = true
}

/** Fetches the package lists, at most once per run. */
export const aptUpdate = () => enqueue(update)

/** Installs packages with their dependencies, without recommended packages. */
export const aptInstall = (packages) =>
  enqueue(async () => {
    if (!which('apt-get')) throw new Error(`Cannot install ${packages.join(', ')}: apt-get is not available`)
    const install = () => apt('-y', 'install', '--no-install-recommends', ...packages)
    try {
      await install()
    } catch {
      await update()
      await install()
    }
  })
