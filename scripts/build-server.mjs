// Bundles the server as plain JavaScript for `npm start` and the published package. Starting a bundle takes a third of the time
// and memory that the sources take, because threads don't have to strip types.
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RolldownMagicString, rolldown } from 'rolldown'
import { parseSync } from 'rolldown/utils'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const source = join(root, 'apps/server/src')

/**
 * The entry modules, keyed by output name. `platform/entry.ts` derives the same names from the paths. Modules that several
 * entries of a build share become separate files. Each kind of thread therefore has its own build, so that it loads fewer files.
 */
const builds = {
  main: { main: 'main.ts' },
  store: { operations: 'operations.ts', 'db-sqlite-worker': 'platform/db/sqlite/worker.ts' },
  bodies: { endpoints: 'endpoints.ts', 'http-bodies-body-worker': 'platform/http/bodies/body-worker.ts' },
  computations: {
    'features-agreement-measure-worker': 'features/agreement/measure-worker.ts',
    'features-gold-aggregation-aggregate-worker': 'features/gold/aggregation/aggregate-worker.ts',
    'features-notes-group-worker': 'features/notes/group-worker.ts',
    'features-imports-inspect-inspect-worker': 'features/imports/inspect/inspect-worker.ts',
  },
}

/** Native or platform-dependent packages stay outside the bundle. */
const external = [/^node:/, '@node-rs/argon2', '@node-rs/bcrypt', 'sqlite-vec', 'pg-native']

const contract = join(root, 'packages/contract/src/')

/**
 * Lets a build leave out the contract's schemas that it doesn't use. By default, bundlers keep the result of a call, because the
 * call could have side effects. The calls that create the contract's constants have none. Without this plugin, threads of the
 * store would create all schemas of requests and responses, which takes a third of the time that the threads need to start.
 * @returns {import('rolldown').Plugin}
 */
const withoutUnusedSchemas = () => ({
  name: 'without-unused-schemas',
  transform: {
    filter: { id: /\.ts$/ },
    handler: (code, id) => {
      if (!id.startsWith(contract)) return
      const text = new RolldownMagicString(code)
      for (const statement of parseSync(id, code).program.body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue
        for (const { init } of declaration.declarations) {
          if (init === null || init.type === 'Literal' || init.type === 'ArrowFunctionExpression') continue
          text.appendLeft(init.start, '/* @__PURE__ */ (() => (').appendRight(init.end, '))()')
        }
      }
      return { code: text, moduleSideEffects: false }
    },
  },
})

/**
 * Builds into `out` (default `apps/server/dist`).
 * @param {string} [out]
 * @param {{[build in keyof typeof builds]?: {[name: string]: string}}} [more] further entries: paths in the sources, keyed by
 * output name
 */
export const buildServer = async (out = join(root, 'apps/server/dist'), more = {}) => {
  await rm(out, { recursive: true, force: true })
  for (const [name, entries] of Object.entries(builds)) {
    const bundle = await rolldown({
      input: Object.fromEntries(Object.entries({ ...entries, ...more[name] }).map(([name, file]) => [name, join(source, file)])),
      platform: 'node',
      external,
      plugins: [withoutUnusedSchemas()],
    })
    await bundle.write({
      dir: out,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: `${name}-[name]-[hash].js`,
      // Names and lines are kept for stack traces.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
      comments: { legal: true, jsdoc: false, annotation: false },
    })
    await bundle.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServer()
