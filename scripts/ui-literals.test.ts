import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !/node_modules|dist/.test(name))
    .map((name) => join(folder, name))

type Texts = { readonly [key: string]: string | Texts }
const textsIn = (texts: Texts): readonly string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : textsIn(text)))

/** The parts of English UI texts between placeholders that have at least two words. */
const phrases = new Set(
  filesBelow('apps/web/src', '.en.json')
    .flatMap((path) => textsIn(JSON.parse(readFileSync(join(root, path), 'utf8'))))
    .flatMap((text) => text.split(/\{\{\w+\}\}/))
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part.length >= 8 && /[a-z’']+[^a-z’']+[a-z’']+/.test(part)),
)

/** A regular expression by which a test finds an element. Texts in quotes are mostly test data. */
const PATTERN = /(?:getBy\w+\(|\bname: |\bhas(?:Not)?Text: )\/((?:[^/\\\n]|\\.)+)\//g

test('browser tests find UI texts by their keys, so that any text can change in one place', () => {
  const repeated = [...filesBelow('e2e', '.ts'), ...filesBelow('bench/web', '.ts')].flatMap((path) => {
    const found = [...readFileSync(join(root, path), 'utf8').matchAll(PATTERN)].map(([, source = '']) => source)
    return found
      .filter((source) => [...phrases].some((phrase) => source.toLowerCase().includes(phrase)))
      .map((source) => `${path}: /${source}/`)
  })
  expect(repeated).toEqual([])
})
