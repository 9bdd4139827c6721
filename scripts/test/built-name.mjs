import { join } from 'node:path'
import { root } from '../lib/run.mjs'

/** The folder of the server's sources. */
export const sources = join(root, 'apps/server/src')

/**
 * The name of a module in the build, without extension.
 * @param {string} path relative to the sources
 */
export const builtName = (path) => path.replace(/\.ts$/, '').replaceAll('/', '-')
