import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkName, generate, withEntry } from './new-type.mjs'

const root = join(import.meta.dirname, '..')
const folders = ['packages/contract/src', 'apps/server/src'].flatMap((base) =>
  ['question-types', 'field-types'].map((folder) => `${base}/${folder}`),
)
const fixtures = [
  'apps/server/src/tests/questions/testing/kinds.ts',
  'e2e/harness/ui-text.ts',
  'e2e/web/fixtures/everything.ts',
] as const
const copied = [...folders, ...fixtures]
const SETTINGS = "{ type: 'label_selection', postil_kind: 'yes_no'"
let base: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'postil-new-type-'))
  for (const path of copied) cpSync(join(root, path), join(base, path), { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

test.each([
  [undefined, 'Add the name of the type'],
  ['', 'Add the name of the type'],
  ['YesNo', "'YesNo' is not a valid name. Use lowercase letters, digits and underscores"],
  ['yes-no', "'yes-no' is not a valid name"],
  ['1st', "'1st' is not a valid name"],
  ['../up', "'../up' is not a valid name"],
  ['a'.repeat(41), 'is longer than 40 characters'],
  ['constructor', "'constructor' is reserved"],
  ['shared', "'shared' is reserved"],
])('the name %s is refused', (name, message) => {
  expect(() => checkName(name)).toThrow(message)
})

test.each([
  ['question', 'rating', "There is already a question type or a file called 'rating'"],
  ['question', 'options', "There is already a question type or a file called 'options'"],
  ['field', 'chat', "There is already a field type or a file called 'chat'"],
] as const)('a %s type called %s exists', (what, name, message) => {
  expect(() => generate(what, name, base)).toThrow(message)
})

test.each([
  ['question', 11],
  ['field', 10],
] as const)('generates a %s type, with an entry in each list', (what, count) => {
  const { created, changed } = generate(what, 'yes_no', base)
  expect(created).toHaveLength(count)
  const texts = created.map((path) => readFileSync(join(base, path), 'utf8'))
  expect(texts.filter((text) => /__\w+__/.test(text))).toEqual([])
  expect(created.filter((path) => !path.includes(`/${what}-types/`))).toEqual([])
  const slice = `  yes_no: yesNo${what === 'question' ? 'Question' : 'Field'},\n}`
  const messages = { 'e2e/harness/ui-text.ts': `  '${what}-types/yes_no': typeof ${what}TypesYesNo\n}` }
  const entries: { readonly [path: string]: string } = { ...messages, [fixtures[0]]: SETTINGS, [fixtures[2]]: SETTINGS }
  for (const path of changed) expect(readFileSync(join(base, path), 'utf8'), path).toContain(entries[path] ?? slice)
  expect(() => generate(what, 'yes_no', base)).toThrow('There is already')
})

test('an entry is added at the end of its list', () => {
  const text = 'export const other = {\n  x,\n}\nexport const list: Of<{ a: 1 }> = {\n  a: b,\n} as const\n'
  const entry = { list: 'export const list', entry: '  c: d,', imports: "import { d } from './c.ts'" }
  expect(withEntry(text, entry)).toBe(
    "import { d } from './c.ts'\nexport const other = {\n  x,\n}\nexport const list: Of<{ a: 1 }> = {\n  a: b,\n  c: d,\n} as const\n",
  )
  expect(withEntry('const all = [\n  1,\n]\n', { list: 'const all', entry: '  2,' })).toBe('const all = [\n  1,\n  2,\n]\n')
  expect(() => withEntry(text, { ...entry, list: 'none' })).toThrow('no list none')
})
