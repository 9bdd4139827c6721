/** Finds the library that changes a process's clock: Debian's libfaketime. Root installs it if it is missing. */
import { existsSync, globSync } from 'node:fs'
import { aptInstall } from './apt.mjs'
import { isRoot, which } from './run.mjs'

const find = () => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').find((path) => existsSync(path)) ?? null

/** @returns {Promise<string | null>} the path of the library, or null if it isn't available */
export const fakeTime = async () => {
  if (!find() && isRoot() && which('apt-get')) await aptInstall(['libfaketime']).catch(() => undefined)
  return find()
}
