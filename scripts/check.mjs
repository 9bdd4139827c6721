/**
 * `npm run check`: format, lint, prose, types, boundaries and the tests that need no further installation, in about three
 * minutes.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, run, runMain } from './lib/run.mjs'

const bin = (path) => [process.execPath, join(root, 'node_modules', path)]
/**
 * Folders with the same settings are checked together, because each separate run would check nearly all of the server again.
 */
const PROJECTS = ['tsconfig.server.json', 'apps/web', 'tsconfig.tools.json', '.']
const TESTS = ['contract', 'server-pure', 'web', 'web-pure', 'scripts']

const step = async (name, [command, ...first], args) => {
  const started = performance.now()
  const { code, output } = await run(command, [...first, ...args], { quiet: true, env: { ...process.env, FORCE_COLOR: '0' } })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (code !== 0) console.error(output)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  return code === 0
}

const types = async () => {
  let ok = true
  for (const project of PROJECTS) {
    ok = (await step(`types ${project}`, bin('typescript/bin/tsc'), ['-p', join(root, project)])) && ok
  }
  return ok
}

/** Checks format, lint, boundaries and types. Resolves to true if all pass. */
export const statics = async () => {
  const format = await step('format and lint', bin('@biomejs/biome/bin/biome'), ['check', '--error-on-warnings', '.'])
  const boundaries = await step('boundaries', [process.execPath], [join(root, 'scripts/boundaries.mjs')])
  const prose = await step('prose', [process.execPath], [join(root, 'scripts/prose.mjs')])
  return (await types()) && format && boundaries && prose
}

const tests = () => step('unit tests', bin('vitest/vitest.mjs'), ['run', ...TESTS.map((name) => `--project=${name}`)])

const main = async () => {
  const results = await Promise.all([statics(), tests()])
  if (results.includes(false)) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runMain(main)
