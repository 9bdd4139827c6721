/**
 * Checks the direction of imports between folders. Also checks style rules that a linter can't check: file length, relative
 * imports, unused exports, and comparisons with a question kind outside its slice. This is plain JavaScript, so that it runs on
 * Node 20 or later before anything is installed.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { cyclesOf } from './lib/cycles.mjs'
import { unusedExports } from './lib/unused-exports.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Files that may exceed the limit, with the reason. */
const LONG_FILES = {
  'e2e/web/annotate/annotate-questions.e2e.ts': 'tests every question type by mouse and by keyboard',
}
const MAX_LINES = 400

const SOURCE = /\.(ts|tsx|mts|js|mjs)$/
const SKIP = new Set(['node_modules', 'dist', '.cache', '.git', '.venv', '__pycache__'])

/** Reads the kinds from the contract's slices, so that the rule stays up to date. */
const kindsIn = (folder) => {
  const files = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []
  return files.flatMap((name) =>
    [...readFileSync(join(root, folder, name), 'utf8').matchAll(/^ {2}kind: '(\w+)',$/gm)].map(([, kind]) => kind),
  )
}

/** Kinds whose names have no other meaning in the code. Names such as `text` have other meanings. */
const DISTINCT = ['rating', 'ranking', 'label_selection', 'multi_label_selection']

/** The layers, from the one that may import most to the one that may import least. */
const SERVER = ['app', 'features', 'question-types', 'platform']
const WEB = ['app', 'features', 'question-types', 'base']

const serverLayer = (rest) => {
  if (rest.startsWith('features/')) return 'features'
  if (rest.startsWith('question-types/') || rest.startsWith('field-types/')) return 'question-types'
  // The context is a plain type that every layer uses. The code that creates it belongs to the app.
  if (rest.startsWith('platform/') || rest === 'context.ts') return 'platform'
  return 'app'
}

const webLayer = (rest) => {
  if (rest.startsWith('features/')) return 'features'
  if (rest.startsWith('question-types/') || rest.startsWith('field-types/')) return 'question-types'
  if (/^(ui|lib|i18n|styles|frame)\//.test(rest)) return 'base'
  return 'app'
}

/** The part of the repository that a file belongs to. `unit` is the feature, if any. */
const place = (path) => {
  const match = /^(packages\/contract|packages\/testkit|packages\/client|apps\/server|apps\/web)\/src\/(.+)$/.exec(path)
  if (!match) return { side: path.split('/')[0], layer: 'tool', unit: null, rest: path }
  const [, base, rest] = match
  const side = base.split('/')[1]
  const layer = side === 'server' ? serverLayer(rest) : side === 'web' ? webLayer(rest) : 'base'
  const unit = rest.startsWith('features/') ? rest.split('/')[1] : null
  return { side, layer, unit, rest }
}

const SIDES = {
  contract: ['contract'],
  server: ['contract', 'server'],
  web: ['contract', 'client', 'web'],
  client: ['contract', 'client'],
}
const isTest = (path) => /\.(test|e2e)\.tsx?$/.test(path) || path.includes('/testing/')

const packagePath = {
  contract: 'packages/contract',
  testkit: 'packages/testkit',
  server: 'apps/server',
  web: 'apps/web',
  client: 'packages/client',
}

/** The repository path that an import refers to, or null for an external package. */
const target = (from, specifier) => {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier))
  if (specifier.startsWith('#')) {
    const base = from.split('/').slice(0, 2).join('/')
    return from.startsWith('apps/') || from.startsWith('packages/')
      ? `${base}/src/${specifier.slice(1)}`
      : `${from.split('/')[0]}/${specifier.slice(1)}`
  }
  const match = /^@postil\/([a-z]+)\/(.+)$/.exec(specifier)
  return match && packagePath[match[1]] ? `${packagePath[match[1]]}/src/${match[2]}` : null
}

const IMPORT = /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g

const importsOf = (text) =>
  [...text.matchAll(IMPORT)].map((m) => ({
    specifier: m[1] ?? m[2],
    at: text.slice(0, m.index + m[0].length).split('\n').length,
  }))

const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\//g, (c) => c.replace(/[^\n]/g, ' ')).replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1')

const checkImport = (file, specifier) => {
  if (/^(\.\.\/){3,}/.test(specifier))
    return `relative import that goes more than two levels up: use '#…' instead of '${specifier}'`
  const to = target(file, specifier)
  if (to === null) return null
  const a = place(file)
  const b = place(to)
  if (a.side in SIDES && !SIDES[a.side].includes(b.side) && !(isTest(file) && b.side === 'testkit')) {
    return `${a.side} must not import ${b.side} ('${specifier}')`
  }
  if (a.side !== b.side || isTest(file)) return null
  const order = a.side === 'server' ? SERVER : a.side === 'web' ? WEB : null
  if (order && order.indexOf(b.layer) < order.indexOf(a.layer)) return `${a.layer} must not import ${b.layer} ('${specifier}')`
  if (b.layer !== 'features' || a.unit === b.unit || isPublic(to)) return null
  if (a.layer === 'features') return `a feature may import another feature only through its public.ts ('${specifier}')`
  if (a.side === 'server' && !LISTS.has(file)) return `the app may import a feature only through its public.ts ('${specifier}')`
  return null
}

/**
 * Whether a file is a feature's public interface, which other features use. On the server, the app uses it too. Only these files
 * may re-export, and only by name.
 */
const isPublic = (to) => /\/features\/[^/]+\/public\.ts$/.test(to)

/** The files of the server's app that list the routes, operations and body parsers of all features. */
const LISTS = new Set(['routes.ts', 'operations.ts', 'endpoints.ts'].map((name) => `apps/server/src/${name}`))

const inSlice = (file) => /\/(question-types|field-types)\//.test(file)

const kindComparisons = (file, text, kinds) => {
  if (!/^(apps|packages)\//.test(file) || inSlice(file) || isTest(file) || file.startsWith('packages/testkit/')) return []
  const any = kinds.join('|')
  if (!any) return []
  const distinct = DISTINCT.join('|')
  const rules = [
    new RegExp(
      `(?:===?|!==?)\\s*['"](?:${distinct})['"]|['"](?:${distinct})['"]\\s*(?:===?|!==?)|\\bcase\\s+['"](?:${distinct})['"]`,
    ),
    new RegExp(
      `\\b(?:settings|question|field|slice)\\??\\.(?:type|kind|postil_kind)\\s*(?:===?|!==?)\\s*['"](?:${any})['"]|\\bswitch\\s*\\([^)]*\\b(?:settings|question)\\??\\.(?:type|kind)\\)`,
    ),
  ]
  return text
    .split('\n')
    .flatMap((line, i) =>
      rules.some((rule) => rule.test(line))
        ? [{ line: i + 1, message: "the name of a type is compared outside that type's slice" }]
        : [],
    )
}

/** The feature of a file and the other feature that the file imports. Null if the file imports no other feature. */
const featuresTied = (file, to) => {
  const a = place(file)
  const b = place(to)
  const areTied = a.unit && b.unit && a.side === b.side && a.unit !== b.unit && !isTest(file)
  return areTied ? [`${a.side}/${a.unit}`, `${b.side}/${b.unit}`] : null
}

/** All problems in the given files, as `{file, line, message}`. */
export const problemsOf = (files, kinds) => {
  const problems = []
  const edges = { files: new Map(), features: new Map() }
  const add = (map, from, to) => map.set(from, (map.get(from) ?? new Set()).add(to))
  for (const [file, raw] of files) {
    const lines = raw.split('\n').length - 1
    if (lines > MAX_LINES && !(file in LONG_FILES))
      problems.push({ file, line: lines, message: `${lines} lines, but at most ${MAX_LINES} are allowed. Split the file` })
    const text = withoutComments(raw)
    for (const { specifier, at } of importsOf(text)) {
      const message = checkImport(file, specifier)
      if (message) problems.push({ file, line: at, message })
      const to = target(file, specifier)
      if (to === null) continue
      add(edges.files, file, to)
      const features = featuresTied(file, to)
      if (features) add(edges.features, ...features)
    }
    for (const found of kindComparisons(file, text, kinds)) problems.push({ file, ...found })
  }
  for (const [what, map] of Object.entries(edges))
    for (const cycle of cyclesOf(map))
      problems.push({ file: cycle.join(' → '), line: 0, message: `${what} import each other in a cycle` })
  return problems
}

/** The exports in the apps that no other file uses. Packages aren't checked, because they have users outside this repository. */
const unusedExportsOf = (files) =>
  unusedExports(files, (file) => file.startsWith('apps/') && !isTest(file)).map(({ name, ...place }) => ({
    ...place,
    message: `no other file uses '${name}', so it must not be exported`,
  }))

const walk = (folder) =>
  readdirSync(folder).flatMap((name) => {
    if (SKIP.has(name)) return []
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return walk(path)
    return SOURCE.test(name) && !name.endsWith('.gen.ts') ? [path] : []
  })

const main = () => {
  const folders = ['apps', 'packages', 'scripts', 'bench', 'e2e'].map((name) => join(root, name))
  const files = folders.flatMap(walk).map((path) => [relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')])
  const kinds = [...kindsIn('packages/contract/src/question-types'), ...kindsIn('packages/contract/src/field-types')]
  const problems = [...problemsOf(files, kinds), ...unusedExportsOf(files)]
  for (const { file, line, message } of problems) console.error(`${file}:${line} ${message}`)
  console.log(
    problems.length === 0 ? `boundaries: ${files.length} files, no problems` : `boundaries: ${problems.length} problems`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
