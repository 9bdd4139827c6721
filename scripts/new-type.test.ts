import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkName, generate, withEntry } from './new-type.mjs'

const root = join(import.meta.dirname, '..')
const folders = ['packages/contract/src', 'apps/server/src'].flatMap((base) =>
  ['question-types', 'field-types'].map((folder) => `${base}/${folder}`),
)
let base: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'postil-new-type-'))
  for (const folder of folders) cpSync(join(root, folder), join(base, folder), { recursive: true })
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
] as const)('generates a %s type, with one entry in a list of contract and server', (what, count) => {
  const { created, changed } = generate(what, 'yes_no', base)
  expect(created).toHaveLength(count)
  const texts = created.map((path) => readFileSync(join(base, path), 'utf8'))
  expect(texts.filter((text) => /__\w+__/.test(text))).toEqual([])
  expect(created.filter((path) => !path.includes(`/${what}-types/`))).toEqual([])
  const entry = `  yes_no: yesNo${what === 'question' ? 'Question' : 'Field'},\n}`
  for (const path of changed) expect(readFileSync(join(base, path), 'utf8')).toContain(entry)
  expect(() => generate(what, 'yes_no', base)).toThrow('There is already')
})

test('an entry is added at the end of its list', () => {
  const text = 'export const other = {\n  x,\n}\nexport const list: Of<{ a: 1 }> = {\n  a: b,\n} as const\n'
  expect(withEntry(text, 'list', { name: 'c', variable: 'd' })).toBe(
    "import { d } from './c.ts'\nexport const other = {\n  x,\n}\nexport const list: Of<{ a: 1 }> = {\n  a: b,\n  c: d,\n} as const\n",
  )
  expect(() => withEntry(text, 'none', { name: 'c', variable: 'd' })).toThrow('no list none')
})
