/** The library that tells a process another time: Debian's libfaketime, installed by root. */
import { existsSync, globSync } from 'node:fs'
import { aptInstall } from './apt.mjs'
import { isRoot, which } from './run.mjs'

const find = () => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').find((path) => existsSync(path)) ?? null

/**
 * @returns {Promise<string | null>} the path of the library, null where it cannot be had
 */
export const fakeTime = async () => {
  if (!find() && isRoot() && which('apt-get')) await aptInstall(['libfaketime']).catch(() => undefined)
  return find()
}
