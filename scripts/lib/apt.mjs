/** Debian's packages, installed only by root; everyone else gets a sentence from the caller. */
import { must, which } from './run.mjs'

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
const apt = (...args) => must('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { env })

let updated = false
let last = Promise.resolve()

/** One at a time: apt's lists have a lock that nobody waits for. */
const inTurn = (work) => {
  const result = last.then(work)
  last = result.catch(() => undefined)
  return result
}

const update = async () => {
  if (updated) return
  await apt('update')
  updated = true
}

/** Fetches the lists of packages, once. */
export const aptUpdate = () => inTurn(update)

/** Installs packages with their dependencies and nothing that is only recommended. */
export const aptInstall = (packages) =>
  inTurn(async () => {
    if (!which('apt-get')) throw new Error(`apt-get is not here to install ${packages.join(', ')}`)
    const install = () => apt('-y', 'install', '--no-install-recommends', ...packages)
    try {
      await install()
    } catch {
      await update()
      await install()
    }
  })
