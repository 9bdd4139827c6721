/**
 * Prints the size of the code at one or more revisions, as a Markdown table.
 *
 * node scripts/code-size.mjs [REVISION…]     default: HEAD
 */
import { execFileSync } from 'node:child_process'
import { root, runMain } from './lib/run.mjs'

const MAX_OUTPUT = 1 << 30
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: MAX_OUTPUT })
const isCode = (path) => /\.(ts|tsx|mjs|cjs|js)$/.test(path)
const isTest = (path) => /\.(test|e2e|bench)\.tsx?$|^(e2e|bench)\/|\/tests\//.test(path)
const DECLARED = /^export (?:default )?(?:abstract |async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm
const LISTED = /^export (?:type )?\{([^}]*)\}/gm

const exportedNames = (text) =>
  [...text.matchAll(DECLARED)].length +
  [...text.matchAll(LISTED)].reduce((sum, [, names]) => sum + names.split(',').filter((name) => name.trim() !== '').length, 0)

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

const sizeOf = (revision) => {
  const paths = git('ls-tree', '-r', '--name-only', revision).split('\n').filter(isCode)
  const files = paths.map((path) => ({ path, text: git('show', `${revision}:${path}`) }))
  const lines = files.map(({ text }) => text.split('\n').length - 1).sort((a, b) => a - b)
  const product = files.filter(({ path }) => !isTest(path))
  return {
    'Code files': files.length,
    'Of these, tests and benchmarks': files.length - product.length,
    Lines: lines.reduce((sum, count) => sum + count, 0),
    'Median lines of a file': quantile(lines, 0.5),
    '95th percentile': quantile(lines, 0.95),
    'Files of at most 40 lines': lines.filter((count) => count <= 40).length,
    'Exported names outside tests': product.reduce((sum, { text }) => sum + exportedNames(text), 0),
  }
}

await runMain(async () => {
  const revisions = process.argv.slice(2)
  if (revisions.length === 0) revisions.push('HEAD')
  const sizes = revisions.map(sizeOf)
  const row = (cells) => `| ${cells.join(' | ')} |`
  console.log(row(['', ...revisions]))
  console.log(row(['---', ...revisions.map(() => '---:')]))
  for (const name of Object.keys(sizes[0])) console.log(row([name, ...sizes.map((size) => size[name].toLocaleString('en-US'))]))
})
