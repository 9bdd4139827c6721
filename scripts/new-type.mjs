/**
 * `npm run new:question-type NAME` and `npm run new:field-type NAME`: generate a working slice with tests from the files in
 * `scripts/templates`. Plain JavaScript, so that it runs on any Node from 20 on.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, run, runMain, UserError } from './lib/run.mjs'

/** Returns the entry that adds a new slice to a list in the contract or the server. */
const sliceEntry = (list, variable) => ({
  list,
  entry: `  __kind__: ${variable},`,
  imports: `import { ${variable} } from './__kind__.ts'`,
})

/** Returns the entry that adds the messages of a new type to a list. Tests use this list to find elements by message key. */
const messagesEntry = (folder, variable) => ({
  list: 'type Areas',
  entry: `  '${folder}/__kind__': typeof ${variable}`,
  imports: `import type ${variable} from '../../apps/web/src/${folder}/__kind__/messages.en.json'`,
})

/** The entry for a new type in the list of samples. The tests of all code that reads or writes answers use this list. */
const sampleEntry = {
  list: 'export const kindSamples',
  entry: `  {
    name: '__kind__',
    settings: () => ({ type: 'label_selection', postil_kind: '__kind__', options: options('yes', 'no') }),
    value: 'yes',
    other: 'no',
    invalid: 'maybe',
    fault: 'is not a valid option',
    term: 'yes',
    measure: 'alpha_nominal',
    answered: 'yes',
    misshapen: ['yes'],
  },`,
}

/**
 * A question of the new type for the dataset that contains all types. Browser tests use this dataset, for example to check
 * accessibility.
 */
const everythingEntry = {
  list: 'const questions',
  entry: `  {
    name: '__kind__',
    title: '__Title__',
    settings: { type: 'label_selection', postil_kind: '__kind__', options: options('Yes', 'No') },
  },`,
}

/** The lists to which a new type is added, keyed by file. */
const LISTS = {
  question: {
    'packages/contract/src/question-types/index.ts': sliceEntry('export const questionTypes', '__camel__Question'),
    'apps/server/src/question-types/registry.ts': sliceEntry('export const serverQuestionTypes', '__camel__Question'),
    'apps/server/src/tests/questions/testing/kinds.ts': sampleEntry,
    'e2e/harness/ui-text.ts': messagesEntry('question-types', 'questionTypes__Kind__'),
    'e2e/web/fixtures/everything.ts': everythingEntry,
  },
  field: {
    'packages/contract/src/field-types/index.ts': sliceEntry('export const fieldTypes', '__camel__Field'),
    'apps/server/src/field-types/registry.ts': sliceEntry('export const serverFieldTypes', '__camel__Field'),
    'e2e/harness/ui-text.ts': messagesEntry('field-types', 'fieldTypes__Kind__'),
  },
}

/**
 * Names that a new type can't have: folders next to the slices, names that the web app uses itself, and names with a meaning in
 * JavaScript.
 */
const RESERVED = new Set(['shared', 'testing', 'unsupported', 'constructor', 'prototype', 'settings', 'type', 'kind', 'name'])
const MAX_LENGTH = 40

/**
 * @param {string | undefined} name
 * @returns {string} the name
 * @throws UserError if a type can't have this name
 */
export const checkName = (name) => {
  if (!name) throw new UserError('Add the name of the type: lowercase letters, digits and underscores, such as yes_no')
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
    throw new UserError(`'${name}' is not a valid name. Use lowercase letters, digits and underscores, such as yes_no`)
  if (name.length > MAX_LENGTH) throw new UserError(`The name '${name}' is longer than ${MAX_LENGTH} characters`)
  if (RESERVED.has(name)) throw new UserError(`The name '${name}' is reserved. Choose a different one`)
  return name
}

const camelOf = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase())
const capitalized = (text) => text[0].toUpperCase() + text.slice(1)

const filled = (text, name) =>
  text
    .replaceAll('__kind__', name)
    .replaceAll('__camel__', camelOf(name))
    .replaceAll('__Kind__', capitalized(camelOf(name)))
    .replaceAll('__Title__', capitalized(name.replaceAll('_', ' ')))

const ENDING = '.template'
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map((entry) => join(entry.parentPath, entry.name))

/** Adds an entry at the end of a list in a file, and adds the imports that it needs. The formatter sorts the imports. */
export const withEntry = (text, { list, entry, imports = '' }) => {
  const start = text.indexOf(list)
  const length = start < 0 ? -1 : text.slice(start).search(/\n[}\]]/)
  if (length < 0) throw new Error(`no list ${list}`)
  const end = start + length
  return `${imports && `${imports}\n`}${text.slice(0, end)}\n${entry}${text.slice(end)}`
}

/**
 * Writes the slice of a new type.
 * @param {'question' | 'field'} what
 * @param {string} name
 * @param {string} [base] the repository that the files are written to
 * @returns {{created: string[], changed: string[]}} the files, relative to the repository
 */
export const generate = (what, name, base = root) => {
  checkName(name)
  const templates = join(root, 'scripts', 'templates', `${what}-type`)
  const created = filesBelow(templates).map((template) => ({
    template,
    path: filled(template.slice(templates.length + 1, -ENDING.length), name)
      .split(sep)
      .join('/'),
  }))
  const existing = created.find(({ path }) => existsSync(join(base, path)))
  if (existing) throw new UserError(`There is already a ${what} type or a file called '${name}': ${existing.path}`)
  for (const { template, path } of created) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), filled(readFileSync(template, 'utf8'), name))
  }
  for (const [path, { list, entry, imports = '' }] of Object.entries(LISTS[what])) {
    const file = join(base, path)
    const added = { list, entry: filled(entry, name), imports: filled(imports, name) }
    writeFileSync(file, withEntry(readFileSync(file, 'utf8'), added))
  }
  return { created: created.map(({ path }) => path).sort(), changed: Object.keys(LISTS[what]) }
}

const main = async ([what, name]) => {
  const { created, changed } = generate(what, name)
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const { code, output } = await run(process.execPath, [biome, 'check', '--write', ...created, ...changed], { quiet: true })
  if (code !== 0) throw new UserError(`The new files could not be formatted:\n${output}`)
  console.log(`Created:\n${created.map((path) => `  ${path}`).join('\n')}`)
  console.log(`Added to:\n${changed.map((path) => `  ${path}`).join('\n')}`)
  console.log(`Test it: npm test -- ${name}\nWhat to change next: docs/adding-a-${what}-type.md`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runMain(() => main(process.argv.slice(2)))
