// Bundles the server as plain JavaScript for `npm start` and the published package. Starting a bundle takes a third of the time
// and memory that the sources take, because threads don't have to strip types.
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const source = join(root, 'apps/server/src')

/** Entries by output name. `platform/entry.ts` finds them by the same rule. */
const entries = {
  main: 'main.ts',
  operations: 'operations.ts',
  endpoints: 'endpoints.ts',
  'db-sqlite-worker': 'platform/db/sqlite/worker.ts',
  'http-bodies-body-worker': 'platform/http/bodies/body-worker.ts',
  'features-agreement-measure-worker': 'features/agreement/measure-worker.ts',
  'features-gold-aggregation-aggregate-worker': 'features/gold/aggregation/aggregate-worker.ts',
  'features-notes-group-worker': 'features/notes/group-worker.ts',
  'features-imports-inspect-inspect-worker': 'features/imports/inspect/inspect-worker.ts',
}

/** Native or platform-dependent packages stay outside the bundle. */
const external = [/^node:/, '@node-rs/argon2', '@node-rs/bcrypt', 'sqlite-vec', 'pg-native']

/**
 * Builds into `out` (default `apps/server/dist`).
 * @param {string} [out]
 * @param {{[name: string]: string}} [more] further entries: paths in the sources, by output name
 */
export const buildServer = async (out = join(root, 'apps/server/dist'), more = {}) => {
  await rm(out, { recursive: true, force: true })
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries({ ...entries, ...more }).map(([name, file]) => [name, join(source, file)])),
    platform: 'node',
    external,
  })
  await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Names and lines are kept for stack traces.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    comments: { legal: true, jsdoc: false, annotation: false },
  })
  await bundle.close()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServer()
